#!/usr/bin/env python3
"""Proves on made-up .proto files that each rule of the lint fires where it should and nowhere else.
A rule named beside a case is buf's, which refuses the same text; the others are our own."""
import sys
import unittest

sys.dont_write_bytecode = True
import proto_lint  # noqa: E402
from wire.trees import HEAD, PATH, tree  # noqa: E402

# What follows HEAD begins on line 3.
COLOR = ("enum Color {\n  COLOR_UNSPECIFIED = 0;  // None.\n  COLOR_BLACK = 1;  // Black.\n}\n")


class ProtoLintTest(unittest.TestCase):
    def breaches(self, files):
        with tree(files) as root:
            return proto_lint.breaches(root)

    def assert_fine(self, text):
        self.assertEqual([], self.breaches({PATH: HEAD + text}))

    def assert_breach(self, text, line, words):
        found = self.breaches({PATH: HEAD + text})
        self.assertEqual([(PATH, line)], [(b.file, b.line) for b in found], found)
        self.assertIn(words, found[0].text)

    def test_a_tidy_file_has_no_breach(self):
        self.assert_fine(COLOR + """\
message Frame {
  // Above it.
  uint32 id = 1;
  oneof body {
    Stone stone = 2;  // On its line.
  }
  map<string, Color> colors = 3;  // By name.
  optional sint32 komi_half = 4;  // Absent: none.
  repeated string more = 5;  // As in Stone.at and COLOR_BLACK.
}
message Stone {
  string at = 1;  // A vertex.
}
""")

    def test_names_are_written_as_their_kind_is(self):
        for text, line, words in (
                ("message lower {}\n", 3, "PascalCase"),  # MESSAGE_PASCAL_CASE
                ("message A {\n  string Name = 1;  // A.\n}\n", 4, "lower_snake"),
                ("message A {\n  oneof Body {\n    A a = 1;  // A.\n  }\n}\n", 4, "lower_snake"),
                (COLOR.replace("enum Color", "enum color"), 3, "PascalCase"),
                (COLOR.replace("COLOR_BLACK", "COLOR_black"), 5, "UPPER_SNAKE")):
            with self.subTest(text=text):
                self.assert_breach(text, line, words)

    def test_enum_values_begin_with_the_enums_name(self):  # ENUM_VALUE_PREFIX
        self.assert_breach(COLOR.replace("COLOR_BLACK", "BLACK"), 5, "begin with COLOR_")

    def test_the_first_value_is_unspecified(self):  # ENUM_ZERO_VALUE_SUFFIX
        self.assert_breach(COLOR.replace("COLOR_UNSPECIFIED", "COLOR_NONE"), 4,
                           "COLOR_UNSPECIFIED = 0")

    def test_a_number_has_one_name(self):  # ENUM_NO_ALLOW_ALIAS
        self.assert_breach("enum Color {\n  option allow_alias = true;\n"
                           "  COLOR_UNSPECIFIED = 0;  // None.\n  COLOR_NONE = 0;  // None.\n}\n",
                           3, "one name")

    def test_nested_things_are_looked_at(self):
        self.assert_breach("message A {\n  enum Color {\n    COLOR_NONE = 0;  // A.\n  }\n}\n", 5,
                           "COLOR_UNSPECIFIED = 0")
        self.assert_breach("message A {\n  message b {}\n}\n", 4, "PascalCase")

    def test_fields_and_values_have_comments(self):
        self.assert_breach("message A {\n  string name = 1;\n}\n", 4, "no comment")
        self.assert_breach(COLOR.replace("  // Black.", ""), 5, "no comment")

    def test_a_comment_of_the_line_before_is_not_this_ones(self):
        self.assert_breach("message A {\n  string a = 1;  // A.\n  string b = 2;\n}\n", 5, "A.b")

    def test_members_of_a_oneof_are_messages(self):
        self.assert_breach("message A {\n  oneof body {\n    string a = 1;  // A.\n  }\n}\n", 5,
                           "so that it can grow")

    def test_names_are_the_same_in_json(self):
        self.assert_breach('message A {\n  string a = 1 [json_name = "b"];  // A.\n}\n', 4,
                           "no json_name")

    def test_a_file_lies_in_its_packages_folder(self):  # PACKAGE_DIRECTORY_MATCH
        found = self.breaches({"protocol/tengen/a.proto": HEAD})
        self.assertEqual(["package tengen.v1 belongs into protocol/tengen/v1/"],
                         [b.text for b in found])

    def test_a_package_has_a_version(self):  # PACKAGE_VERSION_SUFFIX, PACKAGE_DEFINED
        found = self.breaches({"protocol/tengen/a.proto": HEAD.replace("tengen.v1", "tengen")})
        self.assertIn("ending in .v1", found[0].text)
        found = self.breaches({"protocol/a.proto": 'syntax = "proto3";\n'})
        self.assertIn("ending in .v1", found[0].text)

    def test_only_proto3(self):  # SYNTAX_SPECIFIED
        found = self.breaches({PATH: "package tengen.v1;\n"
                                     "message A {\n  required string a = 1;  // A.\n}\n"})
        self.assertEqual(["A: a: nothing is required for ever", 'syntax = "proto3", not proto2'],
                         sorted(b.text for b in found))

    def test_files_are_named_in_snake_case(self):  # FILE_LOWER_SNAKE_CASE
        found = self.breaches({"protocol/tengen/v1/Frame.proto": HEAD})
        self.assertIn("lower_snake_case.proto", found[0].text)

    def test_there_are_no_services(self):
        self.assert_breach("service Games {}\n", 1, "members of ClientFrame")

    def test_imports_are_used_and_not_public(self):  # IMPORT_USED, IMPORT_NO_PUBLIC
        other = {"protocol/tengen/v1/b.proto": HEAD + "message B {}\n"}
        unused = {PATH: HEAD + 'import "tengen/v1/b.proto";\n', **other}
        self.assertEqual([(PATH, 3)], [(b.file, b.line) for b in self.breaches(unused)])
        public = {PATH: HEAD + 'import public "tengen/v1/b.proto";\n', **other}
        self.assertEqual(["no public and no weak imports"],
                         [b.text for b in self.breaches(public)])

    def test_a_comment_names_only_what_is_there(self):
        self.assert_breach("message A {\n  string a = 1;  // As A.b, see A.a.\n}\n", 4, "names A.b")
        self.assert_breach("message A {\n  // COLOR_RED.\n  string a = 1;\n}\n", 5, "COLOR_RED")
        self.assert_fine("message A {\n  string a = 1;  // A daemon.log is no field.\n}\n")

    def test_comments_name_error_codes_without_their_prefix(self):
        codes = ("enum ErrorCode {\n  ERROR_CODE_UNSPECIFIED = 0;  // Never.\n"
                 "  ERROR_CODE_LIMIT_REACHED = 1;  // Too much.\n}\n")
        self.assert_fine(codes + "// Or LIMIT_REACHED.\nmessage A {}\n")

    def test_the_founding_document_keeps_its_names_and_needs_comments(self):
        text = ('syntax = "proto3";\npackage gtp;\nmessage Move {\n  enum Type {\n'
                '    PASS = 0;  // Pass.\n  }\n  Type type = 1;  // What.\n}\n')
        path = "protocol/gtp/gtp.proto"
        self.assertEqual([], self.breaches({path: text}))
        found = self.breaches({path: text.replace("  // Pass.", "")})
        self.assertEqual([(path, 5)], [(b.file, b.line) for b in found])

    def test_what_protoc_refuses_is_one_breach(self):
        found = self.breaches({PATH: HEAD + "message A {\n"})
        self.assertEqual(1, len(found))
        self.assertIn("a.proto:4", found[0].text)

    def test_a_tree_without_proto_files_is_a_breach(self):
        self.assertEqual(["protocol/: no .proto files"], [b.text for b in self.breaches({})])


if __name__ == "__main__":
    unittest.main()
