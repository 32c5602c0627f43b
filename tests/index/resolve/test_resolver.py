"""What a resolver knows beyond single uses: importers, exports, subtypes, what takes the place of a member."""

from __future__ import annotations

from lsp_server.index.resolve import Resolver
from lsp_server.index.snapshot import Snapshot, SymbolId

from .scenario import files_of, snapshot_of

PYTHON = """\
=== shop/__init__.py
from .base import Base as Root
from .text import *
=== shop/base.py
class Base:
    def run(self): ...
    def stop(self): ...
=== shop/text.py
def clean(): ...
=== shop/cart.py
from shop import Root
class Cart(Root):
    def run(self): ...
class Small(Cart):
    def run(self): ...
    def other(self): ...
=== tests/test_cart.py
from shop.cart import Cart
import shop.text
"""

GO = """\
=== go.mod
module example.com/a
=== io/io.go
package io

type Reader interface {
	Read(n int) int
	Close()
}
=== file/file.go
package file

import "example.com/a/io"

type File struct{}

func (f *File) Read(n int) int { return n }
func (f *File) Close()         {}

type Half struct{}

func (h Half) Close() {}

var r io.Reader = &File{}
"""


def named(snapshot: Snapshot, name: str, path: str = "") -> SymbolId:
    return next(each for each in snapshot.definitions(name) if path in each.path)


def names(snapshot: Snapshot, found: list[SymbolId]) -> list[str]:
    return [snapshot.symbol(each).qualified_name for each in found]


def test_subtypes_are_found_through_reexports_nearest_first() -> None:
    snapshot = snapshot_of(files_of(PYTHON))
    assert names(snapshot, Resolver(snapshot).implementers(named(snapshot, "Base"))) == ["Cart", "Small"]


def test_overriders_are_the_members_of_subtypes_with_the_same_name() -> None:
    snapshot = snapshot_of(files_of(PYTHON))
    target = named(snapshot, "run", "base.py")
    assert names(snapshot, Resolver(snapshot).overriders(target)) == ["Cart.run", "Small.run"]
    assert Resolver(snapshot).overriders(named(snapshot, "stop")) == []


def test_a_go_type_implements_an_interface_when_it_has_all_its_methods() -> None:
    snapshot = snapshot_of(files_of(GO))
    resolver = Resolver(snapshot)
    assert names(snapshot, resolver.implementers(named(snapshot, "Reader"))) == ["File"]
    assert names(snapshot, resolver.overriders(named(snapshot, "Read", "io/"))) == ["File.Read"]


def test_importers_are_the_files_whose_imports_mean_the_file() -> None:
    snapshot = snapshot_of(files_of(PYTHON))
    resolver = Resolver(snapshot)
    assert resolver.importers("shop/cart.py") == [("tests/test_cart.py", 1)]
    assert resolver.importers("shop/text.py") == [("shop/__init__.py", 2), ("tests/test_cart.py", 2)]
    assert resolver.importers("tests/test_cart.py") == []


def test_go_files_are_imported_by_their_package() -> None:
    snapshot = snapshot_of(files_of(GO))
    assert Resolver(snapshot).importers("io/io.go") == [("file/file.go", 3)]


def test_exports_hold_own_definitions_and_what_is_passed_on() -> None:
    snapshot = snapshot_of(files_of(PYTHON))
    found = Resolver(snapshot).exports("shop/__init__.py")
    assert {name: snapshot.symbol(targets[0]).name for name, targets in found.items()} == {
        "Root": "Base",
        "clean": "clean",
    }


def test_a_whole_path_is_found_below_a_module_that_many_files_open() -> None:
    parts = {
        f"lib/mail/part{number}.rb": f"module Mail\n  class Part{number}\n    class Smtp\n    end\n  end\nend\n"
        for number in range(70)
    }
    snapshot = snapshot_of({**parts, "spec/mail_spec.rb": "Mail::Part7::Smtp\n"})
    view = snapshot.file("spec/mail_spec.rb")
    assert view is not None
    last = [each for each in view.facts.iter_references() if each.name == "Part7"]
    found = Resolver(snapshot).resolve(view.path, last[0])
    assert [target.path for target in found.targets] == ["lib/mail/part7.rb"]


def test_an_unknown_file_has_no_answers() -> None:
    snapshot = snapshot_of(files_of(PYTHON))
    resolver = Resolver(snapshot)
    assert resolver.exports("none.py") == {}
    assert resolver.importers("none.py") == []
    assert resolver.members(SymbolId("none.py", 0), "run") == []


def test_a_circle_of_imports_and_bases_ends() -> None:
    snapshot = snapshot_of(
        files_of(
            "=== a.py\nfrom b import *\nclass A(B): ...\nA().x\n=== b.py\nfrom a import *\nclass B(A): ...\nmissing()\n"
        )
    )
    resolver = Resolver(snapshot)
    view = snapshot.file("b.py")
    assert view is not None
    for use in view.facts.iter_references():
        resolver.resolve("b.py", use)
    assert names(snapshot, resolver.bases(named(snapshot, "A"))) == ["B"]
    assert resolver.members(named(snapshot, "A"), "nothing") == []


def test_code_outside_of_tests_is_not_guessed_to_use_what_stands_in_tests() -> None:
    use = "def run(thing):\n    return thing.special()\n"
    fake = "class Fake:\n    def special(self): ...\n"
    snapshot = snapshot_of({"app.py": use, "tests/test_fake.py": fake, "tests/test_use.py": use})
    found = {path: _guessed(snapshot, path) for path in ("app.py", "tests/test_use.py")}
    assert found == {"app.py": [], "tests/test_use.py": ["Fake.special"]}


def test_a_member_of_something_unknown_is_guessed_in_its_own_file_first() -> None:
    use = "class Near:\n    def special(self): ...\n\n\ndef run(thing):\n    return thing.special()\n"
    snapshot = snapshot_of({"app.py": use, "far.py": "class Far:\n    def special(self): ...\n"})
    assert _guessed(snapshot, "app.py") == ["Near.special"]


def _guessed(snapshot: Snapshot, path: str) -> list[str]:
    view = snapshot.file(path)
    assert view is not None
    use = next(each for each in view.facts.iter_references() if each.name == "special")
    return names(snapshot, list(Resolver(snapshot).resolve(path, use).targets))
