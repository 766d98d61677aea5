#!/usr/bin/env python3
"""Proves on made-up trees that each house rule fires where it should and nowhere else."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import house_rules  # noqa: E402  (the line above has to come first)

# Written in two parts so that this file does not break the rules it is about.
LOOSE_END = "TO" + "DO"
NAP = "sleep" + "_for(1s);"
SOMEONES_HOME = "/ho" + "me/jane/tengen"


class HouseRulesTest(unittest.TestCase):
    def breaches(self, tree):
        """What is found in a tree given as {path: text}; its .cc files are named in CMake."""
        tree = dict(tree)
        sources = " ".join(path for path in tree if path.endswith(".cc"))
        tree.setdefault("CMakeLists.txt", f"add_library(all {sources})\n")
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                full = os.path.join(root, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(text)
            return house_rules.breaches(root)

    def assert_breach(self, path, text, line, words):
        found = self.breaches({path: text})
        self.assertEqual([(path, line)], [(b.file, b.line) for b in found], found)
        self.assertIn(words, found[0].text)

    def assert_fine(self, path, text):
        self.assertEqual([], self.breaches({path: text}))

    def test_a_tidy_tree_has_no_breach(self):
        self.assertEqual([], self.breaches({
            "rules/board.h": '// Board.\n#pragma once\n#include <vector>\n#include "rules/point.h"\n',
            "rules/board.cc": '#include "rules/board.h"\n',
            "pool/job.h": '#pragma once\n#include "rules/board.h"\n',
            "protocol/codec.cc": '#include <google/protobuf/message.h>\n'
                                 '#include "tengen/v1/frame.pb.h"\n',
            "daemon/hub.cc": '#include <spdlog/spdlog.h>\n#include "pool/job.h"\n'
                             '#include "protocol/codec.h"\n',
            "clients/cli/probe/process.cc": '#include "pool/spawn.h"\n',
            "clients/cli/play.cc": '#include "rules/board.h"\n#include "protocol/codec.h"\n',
            "tests/sim/world.cc": '#include "daemon/hub.h"\n#include "pool/job.h"\n',
        }))

    def test_layers_include_only_those_below(self):
        for path, target in (("rules/a.cc", "pool/job.h"), ("rules/a.cc", "protocol/codec.h"),
                             ("protocol/a.cc", "pool/job.h"), ("pool/a.cc", "protocol/codec.h"),
                             ("pool/a.cc", "daemon/hub.h"), ("daemon/a.cc", "clients/cli/play.h"),
                             ("daemon/a.cc", "tests/support/fake.h"),
                             ("clients/cli/a.cc", "daemon/hub.h"),
                             ("clients/cli/a.cc", "pool/job.h")):
            with self.subTest(path=path, target=target):
                self.assert_breach(path, f'// A.\n#include "{target}"\n', 2, "must not include")

    def test_quoted_includes_start_at_the_root(self):
        self.assert_breach("rules/a.cc", '#include "board.h"\n', 1, "from the root")
        self.assert_breach("tests/sim/a.cc", '#include "support/fake.h"\n', 1, "from the root")

    def test_tests_may_write_includes_from_their_own_folder(self):
        self.assertEqual([], self.breaches({
            "tests/support/fake.h": "#pragma once\n",
            "tests/sim/a.cc": '#include "support/fake.h"\n#include "tests/support/fake.h"\n',
        }))

    def test_cores_see_the_standard_library_only(self):
        for path, header in (("rules/a.cc", "unistd.h"), ("rules/a.cc", "boost/json.hpp"),
                             ("protocol/a.cc", "spdlog/spdlog.h"),
                             ("protocol/codec.cc", "boost/json/parse.hpp"),
                             ("protocol/agent_view.cc", "boost/crc.hpp"),
                             ("pool/engine.cc", "sys/wait.h")):
            with self.subTest(path=path, header=header):
                self.assert_breach(path, f"#include <{header}>\n", 1, f"must not see <{header}>")

    def test_what_agents_say_may_see_json(self):
        self.assert_fine("tests/protocol/a.h", "#pragma once\n#include <boost/json/parse.hpp>\n")
        self.assert_fine("protocol/agent_json.h", "#pragma once\n#include <boost/json/value.hpp>\n")

    def test_the_pools_shells_may_see_the_system_and_asio(self):
        self.assert_fine("pool/process.cc", "#include <sys/wait.h>\n#include <boost/asio/post.hpp>\n")
        self.assert_fine("pool/keeper.h", "#pragma once\n#include <sys/types.h>\n")

    def test_asio_stays_in_the_shells(self):
        for path in ("daemon/hub.cc", "daemon/main.cc", "clients/cli/play.cc", "tests/sim/world.cc"):
            with self.subTest(path=path):
                self.assert_breach(path, "#include <boost/asio/post.hpp>\n", 1, "Asio")
                self.assert_breach(path, "#include <boost/asio.hpp>\n", 1, "Asio")
        for path in ("daemon/net/http.cc", "daemon/server.cc", "clients/cli/net/loop.cc",
                     "tests/e2e/daemon_test.cc", "tests/support/peer.cc"):
            with self.subTest(path=path):
                self.assert_fine(path, "#include <boost/asio/post.hpp>\n")

    def test_beast_stays_in_sources_of_the_network_shells(self):
        beast = "#include <boost/beast/websocket.hpp>\n"
        self.assert_fine("daemon/net/websocket.cc", beast)
        self.assert_fine("tests/e2e/peer.cc", beast)
        self.assert_breach("daemon/server.cc", beast, 1, "network shells")
        self.assert_breach("daemon/net/websocket.h", "#pragma once\n" + beast, 2, "header")
        self.assert_breach("tests/support/peer.h", "#pragma once\n" + beast, 2, "header")

    def test_generated_protobuf_stays_inside_protocol(self):
        generated = '#include "tengen/v1/frame.pb.h"\n'
        self.assert_fine("protocol/codec.cc", generated)
        self.assert_fine("tests/protocol/codec_test.cc", generated)
        self.assert_breach("daemon/hub.cc", generated, 1, "stays inside protocol/")
        self.assert_breach("tests/daemon/hub_test.cc", "#include <google/protobuf/message.h>\n", 1,
                           "stays inside protocol/")

    def test_a_header_that_shows_generated_protobuf_is_private(self):
        tree = {
            "protocol/wire.h": '#pragma once\n#include "tengen/v1/frame.pb.h"\n',
            "protocol/convert.h": '#pragma once\n#include "protocol/wire.h"\n',
            "protocol/convert.cc": '#include "protocol/convert.h"\n',
        }
        self.assertEqual([], self.breaches(tree))
        tree["daemon/hub.cc"] = '#include "protocol/convert.h"\n'
        self.assertEqual(["daemon/hub.cc"], [b.file for b in self.breaches(tree)])

    def test_a_source_that_no_cmake_file_names_is_an_orphan(self):
        tree = {"rules/board.cc": "", "CMakeLists.txt": "# rules/board.cc\n"}
        self.assertIn("names this file", self.breaches(tree)[0].text)

    def test_sources_may_be_named_in_their_folder_or_above_it(self):
        for cmake, text in (("rules/CMakeLists.txt", "add_library(r board.cc)"),
                            ("rules/CMakeLists.txt", "add_library(r\n  board.cc)  # all\n"),
                            ("CMakeLists.txt", "set(s ${CMAKE_CURRENT_SOURCE_DIR}/rules/board.cc)"),
                            ("tests/CMakeLists.txt", "add_x(${CMAKE_SOURCE_DIR}/rules/board.cc)")):
            with self.subTest(cmake=cmake, text=text):
                tree = {"rules/board.cc": "", "CMakeLists.txt": "", cmake: text}
                self.assertEqual([], self.breaches(tree))

    def test_the_name_alone_in_another_folder_is_not_enough(self):
        tree = {"rules/board.cc": "", "CMakeLists.txt": "", "pool/CMakeLists.txt": "board.cc"}
        self.assertEqual(["rules/board.cc"], [b.file for b in self.breaches(tree)])

    def test_fuzz_targets_need_no_cmake(self):
        self.assertEqual([], self.breaches({"tests/fuzz/gtp_fuzz.cc": "", "CMakeLists.txt": ""}))

    def test_files_have_at_most_600_lines(self):
        for path in ("rules/a.cc", "tests/tidy/a.py"):
            with self.subTest(path=path):
                self.assert_fine(path, "\n" * 600)
                self.assert_breach(path, "\n" * 601, 601, "601 lines")

    def test_loose_ends_are_found_in_code_and_documents(self):
        for path in ("rules/a.cc", "docs/rules.md", "check", "protocol/tengen/v1/game.proto"):
            with self.subTest(path=path):
                self.assert_breach(path, f"\n# {LOOSE_END}: later\n", 2, LOOSE_END)
        self.assert_breach("rules/a.cc", "// XX" + "X: odd\n", 1, "finish it")

    def test_a_row_of_black_stones_is_not_a_loose_end(self):
        self.assert_fine("tests/rules/a_test.cc", '"XXX",  // XXX\n')

    def test_tests_do_not_sleep(self):
        self.assert_breach("tests/pool/a_test.cc", f"std::this_thread::{NAP}\n", 1, "sleeping")
        self.assert_breach("tests/tidy/a.py", "time.sle" + "ep(1)\n", 1, "sleeping")
        self.assert_fine("tests/e2e/a_test.cc", NAP)
        self.assert_fine("pool/process.cc", NAP)

    def test_headers_have_pragma_once(self):
        self.assert_breach("rules/a.h", "// A.\n", 1, "pragma once")

    def test_paths_of_one_machine_are_found(self):
        self.assert_breach("docs/a.md", f"see {SOMEONES_HOME}\n", 1, "a path of one machine")
        self.assert_fine("docs/a.md", "see https://example.org" + SOMEONES_HOME + "\n")

    def test_built_files_are_not_looked_at(self):
        self.assert_fine("build/rules/a.h", LOOSE_END)

    def test_breaches_are_printed_with_file_and_line_and_fail_the_run(self):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "rules"))
            with open(os.path.join(root, "rules/a.h"), "w", encoding="utf-8") as file:
                file.write("// A.\n")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                status = house_rules.main([root])
        self.assertEqual(1, status)
        self.assertEqual("rules/a.h:1: #pragma once is missing\n", printed.getvalue())

    def test_an_empty_tree_passes(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(0, house_rules.main([root]))


if __name__ == "__main__":
    unittest.main()
