"""The .proto files under protocol/ as plain values: what protoc says of them, with the comment and
the line of each thing. Whoever asks about the wire asks here, and nobody reads a .proto file by
regular expressions."""
import os
import subprocess
import tempfile
from collections import namedtuple

from google.protobuf import descriptor_pb2

# Names are full names without a leading dot; lines count from 1; comments have no slashes. A field's
# label is "", "optional" or "repeated" ("required" in proto2 alone); its oneof is "" outside of one.
# Reserved numbers are (first, last) pairs. Odd imports are public and weak ones.
File = namedtuple("File", "path package syntax comment messages enums services odd_imports warnings")
Message = namedtuple("Message", "name file line comment fields oneofs reserved reserved_names")
Field = namedtuple("Field", "name number label type oneof json_name comment line")
Oneof = namedtuple("Oneof", "name comment line")
Enum = namedtuple("Enum", "name file line comment values reserved reserved_names has_aliases")
Value = namedtuple("Value", "name number comment line")

# Where things stand in a descriptor, for the paths of its source locations.
SYNTAX, MESSAGES, ENUMS = 12, 4, 5
FIELDS, NESTED_MESSAGES, NESTED_ENUMS, ONEOFS = 2, 3, 4, 8
VALUES = 2


class BadProto(Exception):
    """protoc refused the files; the text is what it said."""


def proto_paths(root):
    """Every .proto file under root/protocol, from there."""
    base = os.path.join(root, "protocol")
    return sorted(os.path.relpath(os.path.join(folder, name), base).replace(os.sep, "/")
                  for folder, _, names in os.walk(base) for name in names
                  if name.endswith(".proto"))


def read_schema(root):
    """Every file under root/protocol, in the order of their paths."""
    paths = proto_paths(root)
    if not paths:
        raise BadProto("protocol/: no .proto files")
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "set")
        run = subprocess.run(
            ["protoc", "--proto_path=" + os.path.join(root, "protocol"), "--include_source_info",
             "--descriptor_set_out=" + output] + paths,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise BadProto(run.stderr.strip())
        with open(output, "rb") as file:
            descriptors = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    warnings = run.stderr.splitlines()
    return [_Reader(file, warnings).file() for file in descriptors.file]


def messages_of(schema):
    return {message.name: message for file in schema for message in file.messages}


def enums_of(schema):
    return {enum.name: enum for file in schema for enum in file.enums}


class _Reader:
    """Reads one file's descriptor."""

    def __init__(self, proto, warnings):
        self.proto = proto
        self.path = "protocol/" + proto.name
        self.warnings = [line for line in warnings if line.startswith(proto.name + ":")]
        self.places = {tuple(place.path): place for place in proto.source_code_info.location}
        self.messages = []
        self.enums = []

    def file(self):
        prefix = self.proto.package + "." if self.proto.package else ""
        for index, message in enumerate(self.proto.message_type):
            self.read_message(message, prefix, (MESSAGES, index))
        for index, enum in enumerate(self.proto.enum_type):
            self.read_enum(enum, prefix, (ENUMS, index))
        return File(self.path, self.proto.package, self.proto.syntax or "proto2",
                    self.comment((SYNTAX,)), self.messages, self.enums,
                    [service.name for service in self.proto.service],
                    self.proto.public_dependency or self.proto.weak_dependency, self.warnings)

    def read_message(self, proto, prefix, path):
        name = prefix + proto.name
        maps = {f"{name}.{nested.name}": nested for nested in proto.nested_type
                if nested.options.map_entry}
        fields = [self.field(field, proto, maps, path + (FIELDS, index))
                  for index, field in enumerate(proto.field)]
        used = {field.oneof for field in fields}
        oneofs = [Oneof(oneof.name, self.comment(path + (ONEOFS, index)),
                        self.line(path + (ONEOFS, index)))
                  for index, oneof in enumerate(proto.oneof_decl) if oneof.name in used]
        reserved = [(span.start, span.end - 1) for span in proto.reserved_range]
        self.messages.append(Message(name, self.path, self.line(path), self.comment(path), fields,
                                     oneofs, reserved, list(proto.reserved_name)))
        for index, nested in enumerate(proto.nested_type):
            if not nested.options.map_entry:
                self.read_message(nested, name + ".", path + (NESTED_MESSAGES, index))
        for index, enum in enumerate(proto.enum_type):
            self.read_enum(enum, name + ".", path + (NESTED_ENUMS, index))

    def field(self, proto, message, maps, path):
        is_map = proto.type_name.lstrip(".") in maps
        label = ""
        if proto.label == proto.LABEL_REPEATED and not is_map:
            label = "repeated"
        elif proto.label == proto.LABEL_REQUIRED:
            label = "required"
        elif proto.proto3_optional:
            label = "optional"
        oneof = ""
        if proto.HasField("oneof_index") and not proto.proto3_optional:
            oneof = message.oneof_decl[proto.oneof_index].name
        kind = self.type_name(proto)
        if is_map:
            key, value = maps[kind].field
            kind = f"map<{self.type_name(key)}, {self.type_name(value)}>"
        return Field(proto.name, proto.number, label, kind, oneof, proto.json_name,
                     self.comment(path), self.line(path))

    @staticmethod
    def type_name(field):
        if field.type_name:
            return field.type_name.lstrip(".")
        return descriptor_pb2.FieldDescriptorProto.Type.Name(field.type)[len("TYPE_"):].lower()

    def read_enum(self, proto, prefix, path):
        values = [Value(value.name, value.number, self.comment(path + (VALUES, index)),
                        self.line(path + (VALUES, index)))
                  for index, value in enumerate(proto.value)]
        reserved = [(span.start, span.end) for span in proto.reserved_range]
        self.enums.append(Enum(prefix + proto.name, self.path, self.line(path), self.comment(path),
                               values, reserved, list(proto.reserved_name),
                               proto.options.allow_alias))

    def line(self, path):
        place = self.places.get(path)
        return place.span[0] + 1 if place else 1

    def comment(self, path):
        """The comment above a thing, then the one on its line."""
        place = self.places.get(path)
        if place is None:
            return ""
        texts = (place.leading_comments, place.trailing_comments)
        lines = [line[1:] if line.startswith(" ") else line
                 for text in texts for line in text.splitlines()]
        return "\n".join(line.rstrip() for line in lines).strip()
