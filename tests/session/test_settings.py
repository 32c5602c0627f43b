"""One definition of settings; whatever is wrong is told, never passed over."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.session.settings import Settings, Strictness, by_name, definitions
from lsp_server.session.settings_check import check_assignments, check_toml, check_tree, resolve
from lsp_server.session.settings_load import load_settings
from lsp_server.session.settings_pages import docs_page, extension_configuration, help_lines

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


def test_every_field_is_a_setting_with_a_meaning() -> None:
    assert {setting.field for setting in definitions()} == {field.name for field in fields(Settings)}
    assert len(by_name()) == len(definitions())
    assert all(setting.doc.endswith(".") for setting in definitions())


def test_defaults_are_within_their_own_bounds() -> None:
    for setting in definitions():
        layer = check_tree({setting.name: setting.default}, "defaults")
        assert layer.problems == (), setting.name


def test_nested_and_dotted_names_mean_the_same() -> None:
    assert check_tree({"index": {"maxFiles": 5}}, "x").values == check_tree({"index.maxFiles": 5}, "x").values


@pytest.mark.parametrize(
    ("tree", "name", "words"),
    [
        ({"index": {"maxFile": 5}}, "index.maxFile", "did you mean index.maxFiles"),
        ({"nonsense": 1}, "nonsense", "unknown setting"),
        ({"index": 5}, "index", "unknown setting"),
        ({"index": {"maxFiles": "5"}}, "index.maxFiles", "whole number"),
        ({"index": {"maxFiles": True}}, "index.maxFiles", "whole number"),
        ({"index": {"maxFiles": 0}}, "index.maxFiles", "at least 1"),
        ({"grep": {"timeoutSeconds": float("nan")}}, "grep.timeoutSeconds", "number"),
        ({"grep": {"timeoutSeconds": 1e9}}, "grep.timeoutSeconds", "at most"),
        ({"render": {"format": "pdf"}}, "render.format", "one of"),
        ({"privacy": {"deny": "*.key"}}, "privacy.deny", "list"),
        ({"privacy": {"deny": ["a", 5]}}, "privacy.deny", "list"),
        ({"rules": 1}, "rules", "true or false"),
        ([], "", "table"),
    ],
)
def test_what_is_wrong_is_told_with_its_name(tree: object, name: str, words: str) -> None:
    layer = check_tree(tree, "editor")
    assert len(layer.problems) == 1
    assert layer.problems[0].path == name
    assert words in layer.problems[0].problem
    assert dict(layer.values) == {}


def test_one_wrong_setting_does_not_spoil_the_others() -> None:
    layer = check_tree({"index": {"maxFiles": "x", "workers": 3}, "rules": True}, "editor")
    assert dict(layer.values) == {"index.workers": 3, "rules": True}
    assert len(layer.problems) == 1


def test_null_counts_as_absent() -> None:
    layer = check_tree({"rules": None, "index": None, "render": {"format": None}}, "editor")
    assert (dict(layer.values), layer.problems) == ({}, ())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["index", "maxFiles", "index.maxFiles", "rules", "x", ""]), inner)
        ),
    )
)
def test_no_tree_whatever_raises(tree: object) -> None:
    layer = check_tree(tree, "editor")
    resolved = resolve([layer])
    assert all(getattr(resolved.settings, setting.field) is not None for setting in definitions())


def test_broken_toml_is_one_problem() -> None:
    assert len(check_toml("[index\nmaxFiles = 1", "x").problems) == 1
    assert check_toml("[tool.other]\nx = 1", "x", ("tool", "repo-context")).problems == ()


def test_assignments_are_toml_or_plain_strings() -> None:
    layer = check_assignments(["index.maxFiles=7", "render.format=xml", 'privacy.deny=["*.x"]', "rules=true", "oops"])
    assert layer.values["index.maxFiles"] == 7
    assert layer.values["render.format"] == "xml"
    assert layer.values["privacy.deny"] == ("*.x",)
    assert layer.values["rules"] is True
    assert [problem.path for problem in layer.problems] == ["oops"]


def test_later_layers_win_and_lists_that_protect_are_joined() -> None:
    first = check_tree({"index.maxFiles": 5, "privacy.deny": ["*.a"]}, "one")
    second = check_tree({"index.maxFiles": 9, "privacy.deny": ["*.b"]}, "two")
    resolved = resolve([first, second])
    assert resolved.settings.index_max_files == 9
    assert resolved.settings.privacy_deny == ("*.a", "*.b")
    assert resolved.origins["index.maxFiles"] == "two"


def test_what_an_administrator_enforces_cannot_be_loosened() -> None:
    user = check_tree(
        {
            "privacy.maskSecrets": False,
            "privacy.deny": ["*.mine"],
            "index.maxFiles": 100_000,
            "index.fileTimeoutSeconds": 1,
            "render.format": "xml",
        },
        "editor",
    )
    enforced = check_tree(
        {
            "privacy.maskSecrets": True,
            "privacy.deny": ["*.ours"],
            "index.maxFiles": 1000,
            "index.fileTimeoutSeconds": 2,
            "render.format": "markdown",
        },
        "administrator",
    )
    resolved = resolve([user], enforced)
    settings = resolved.settings
    assert settings.privacy_mask_secrets is True
    assert settings.privacy_deny == ("*.ours", "*.mine")
    assert settings.index_max_files == 1000
    assert settings.index_file_timeout == 1.0
    assert settings.render_format == "markdown"
    told = " ".join(resolved.problems)
    assert all(name in told for name in ("privacy.maskSecrets", "index.maxFiles", "render.format"))
    assert "fileTimeoutSeconds" not in told


def test_protections_are_never_plain_values() -> None:
    assert all(
        setting.strictness is not Strictness.REPLACE for setting in definitions() if setting.name.startswith("privacy.")
    )


def test_settings_come_from_files_and_editor(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.repo-context.index]\nmaxFiles = 3\nworkers = 1\n")
    (tmp_path / ".repo-context.toml").write_text("[index]\nmaxFiles = 4\n")
    administrator = tmp_path / "admin.toml"
    resolved = load_settings([tmp_path], {"rules": True}, ["counter=chars"], administrator)
    settings = resolved.settings
    assert (settings.index_max_files, settings.index_workers) == (4, 1)
    assert (settings.rules, settings.counter) == (True, "chars")
    administrator.write_text("[index]\nmaxFiles = 2\n")
    assert load_settings([tmp_path], administrator_file=administrator).settings.index_max_files == 2


def test_a_settings_file_that_is_no_file_does_not_hang(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / ".repo-context.toml")
    (tmp_path / "pyproject.toml").mkdir()
    assert load_settings([tmp_path], administrator_file=tmp_path / "none").problems == ()


def test_the_docs_page_is_what_the_definition_says() -> None:
    assert DOCS.read_text(encoding="utf-8") == docs_page()


def test_the_extension_knows_every_setting() -> None:
    properties = extension_configuration()["properties"]
    assert set(properties) == {f"repoContext.{setting.name}" for setting in definitions()}
    for schema in properties.values():
        assert schema["type"] in {"boolean", "integer", "number", "string", "array"}
        assert schema["description"]
    assert len(help_lines()) == len(properties)
