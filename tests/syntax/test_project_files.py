"""Project files give the pairs that name resolution needs; broken ones give none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import LANGUAGES, Content, language_for
from lsp_server.syntax.project_files import project_facts

PROJECT_IDS = [each.id for each in LANGUAGES if each.content is Content.PROJECT]


@pytest.mark.parametrize(
    ("path", "text", "name", "pairs"),
    [
        (
            "web/tsconfig.app.json",
            '{ // all\n "extends": "./base", "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*"], } } }',
            "",
            (("extends", "./base"), ("baseUrl", "."), ("paths:@/*", "src/*")),
        ),
        (
            "package.json",
            '{"name": "@a/b", "main": "dist/i.js", "exports": {".": {"require": "./r.js", "types": "./t.d.ts"}},'
            ' "imports": {"#x": "./x.js"}, "workspaces": ["packages/*"]}',
            "@a/b",
            (
                ("name", "@a/b"),
                ("main", "dist/i.js"),
                ("exports:.", "./t.d.ts"),
                ("exports:.", "./r.js"),
                ("imports:#x", "./x.js"),
                ("workspace", "packages/*"),
            ),
        ),
        (
            "go.mod",
            "module example.com/a // here\n\nreplace (\n\tx.org/b v1 => ../b\n\tx.org/c => x.org/d v2\n)\n",
            "example.com/a",
            (("module", "example.com/a"), ("replace:x.org/b", "../b")),
        ),
        ("go.work", "use (\n\t./a\n\t./b\n)\n", "", (("use", "./a"), ("use", "./b"))),
        (
            "Cargo.toml",
            '[package]\nname = "my-lib"\n[lib]\npath = "code/lib.rs"\n[dependencies]\nother = { path = "../o" }\n'
            'alias = { package = "real", version = "1" }\n',
            "my_lib",
            (("name", "my-lib"), ("lib", "code/lib.rs"), ("path:other", "../o"), ("package:alias", "real")),
        ),
        (
            "composer.json",
            '{"name": "a/b", "autoload": {"psr-4": {"App\\\\": "src/"}, "files": ["f.php"]}}',
            "a/b",
            (("psr-4:App\\", "src/"), ("file", "f.php")),
        ),
        (
            "compile_commands.json",
            '[{"directory": "/b", "command": "cc -I../inc -isystem /usr/x"}, {"arguments": ["cc", "-I/b/../inc"]}]',
            "",
            (("include", "/b/../inc"), ("include", "/usr/x")),
        ),
        (
            "App.csproj",
            '<Project><RootNamespace>A.B</RootNamespace><Using Include="A.C" /></Project>',
            "",
            (("using", "A.C"), ("rootnamespace", "A.B")),
        ),
    ],
)
def test_a_project_file_says_its_name_and_pairs(
    path: str, text: str, name: str, pairs: tuple[tuple[str, str], ...]
) -> None:
    facts = extract(language_for(path), text)
    assert (facts.package, facts.project) == (name, pairs)
    assert len(facts.chunks)


@pytest.mark.parametrize("id", PROJECT_IDS)
@given(text=st.one_of(st.text(), st.sampled_from(["{", "[[[", '{"name": 3}', "[package", "<Using", "replace =>"])))
def test_any_text_gives_pairs_of_strings_or_none(id: str, text: str) -> None:
    facts = project_facts(id, text)
    assert isinstance(facts.name, str)
    assert all(isinstance(key, str) and isinstance(value, str) for key, value in facts.pairs)


def test_other_languages_say_nothing() -> None:
    assert project_facts("python", "name = 1").pairs == ()
