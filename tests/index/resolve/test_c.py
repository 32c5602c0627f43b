"""C and C++: namespaces that macros open, overloads, prototypes, fields that hold functions."""

from __future__ import annotations

from lsp_server.index.resolve import Resolver
from lsp_server.index.snapshot import Snapshot

from .scenario import snapshot_of

LIBRARY = {
    "include/lib/base.h": (
        "#pragma once\n#define LIB_BEGIN_NS namespace lib {\n#define LIB_END_NS }\n"
        "LIB_BEGIN_NS\nint vprint(const char* text);\n"
        "inline int print(const char* fmt) { return lib::vprint(fmt); }\n"
        "namespace detail {\ninline int print(int hidden) { return hidden; }\n}\nLIB_END_NS\n"
    ),
    "src/base.cc": '#include "lib/base.h"\nnamespace lib {\nint vprint(const char* text) { return 1; }\n}\n',
    "tests/base_test.cc": (
        '#include "lib/base.h"\n'
        "namespace apart {\nnamespace lib {\nstruct other {};\n}\n}\n"
        'TEST(base_test, print) { EXPECT_EQ(lib::print("x"), 1); }\n'
        'TEST(base_test, vprint) { const char* lib = "x"; EXPECT_EQ(lib::print(lib), 1); }\n'
    ),
}


def meant(snapshot: Snapshot, path: str, name: str, line: int) -> list[tuple[str, int]]:
    """Path and line of each definition that `name` on a line means, if it is known."""
    view = snapshot.file(path)
    assert view is not None
    resolver = Resolver(snapshot)
    use = next(each for each in view.facts.iter_references() if each.name == name and each.line == line)
    found = resolver.resolve(path, use)
    places = [(target.path, snapshot.symbol(target).range.start) for target in found.targets if found.confident]
    return places


def test_a_namespace_that_a_macro_opens_is_found_by_what_other_files_call_it() -> None:
    snapshot = snapshot_of(LIBRARY)
    assert meant(snapshot, "tests/base_test.cc", "print", 7) == [("include/lib/base.h", 6)]


def test_a_variable_of_the_name_of_a_namespace_does_not_hide_it() -> None:
    snapshot = snapshot_of(LIBRARY)
    assert meant(snapshot, "tests/base_test.cc", "print", 8) == [("include/lib/base.h", 6)]


def test_a_prototype_in_the_same_file_leads_to_the_body_in_another() -> None:
    snapshot = snapshot_of(
        {
            "a.h": "int work(int x);\ninline int twice(int x) { return 2 * work(x); }\n",
            "a.c": '#include "a.h"\nint work(int x) { return x; }\n',
        }
    )
    assert meant(snapshot, "a.h", "work", 2) == [("a.c", 2), ("a.h", 1)]


def test_a_test_is_meant_by_no_use_of_its_name() -> None:
    snapshot = snapshot_of(
        {"a_test.cc": "TEST(suite, parse) { f(); }\n", "b.h": "inline int g(const char* x) { return parse(x); }\n"}
    )
    assert meant(snapshot, "b.h", "parse", 1) == []


def test_dozens_of_overloads_are_not_nothing() -> None:
    overloads = "".join(f"inline int write(type{number} x) {{ return {number}; }}\n" for number in range(20))
    snapshot = snapshot_of({"a.h": f"namespace n {{\n{overloads}inline int all() {{ return write(1); }}\n}}\n"})
    assert 1 < len(meant(snapshot, "a.h", "write", 22)) <= 12


def test_a_field_that_holds_a_function_may_run_what_is_put_into_it() -> None:
    snapshot = snapshot_of(
        {
            "stream.h": "struct stream { int (*read)(int); int (*write)(int); };\nint use(struct stream *s);\n",
            "stream.c": '#include "stream.h"\nint use(struct stream *s) { return s->read(1); }\n',
            "socket.c": (
                '#include "stream.h"\nstatic int socket_read(int x) { return x; }\n'
                "static int socket_write(int x) { return x; }\n"
                "void init(struct stream *s) {\n  s->read = socket_read;\n  s->write = socket_write;\n}\n"
            ),
            "file.c": (
                '#include "stream.h"\nstatic int file_read(int x) { return x; }\n'
                "static struct stream files = {\n  .read = file_read,\n};\n"
            ),
        }
    )
    (field,) = (each for each in snapshot.definitions("read") if each.path == "stream.h")
    found = Resolver(snapshot).overriders(field)
    assert sorted(snapshot.symbol(each).name for each in found) == ["file_read", "socket_read"]
