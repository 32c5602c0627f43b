"""What many failing tests share is suspected; what other tests reach as well is suspected less."""

from __future__ import annotations

from lsp_server.model.failure import Failure
from lsp_server.model.values import replace
from lsp_server.retrieval import definition, spectrum, walk
from lsp_server.retrieval.spectrum import failing_tests

from .workspace_of_texts import Workspace, assertion

ROUTES = "".join(f"def route_{name}(path):\n    return match(clean(path))\n\n\n" for name in "abcdefgh")
TESTS = "".join(f"def test_{name}():\n    assert route_{name}('/x') == 1\n\n\n" for name in "abcdefgh")
OTHERS = "".join(f"def test_match_{name}():\n    assert match('{name}') == 1\n\n\n" for name in "ijkl")
ROUTER = {
    "router.py": f"{ROUTES}def clean(path):\n    return path\n\n\ndef match(path):\n    return 1\n",
    "tests/test_router.py": (
        f"from router import match, {', '.join(f'route_{name}' for name in 'abcdefgh')}\n\n\n{TESTS}{OTHERS}"
    ),
}


def failures(workspace: Workspace, names: str) -> list[Failure]:
    places = [(workspace.line("tests/test_router.py", f"route_{name}('"), name) for name in names]
    return [
        replace(assertion(("tests/test_router.py", line), test=f"test_{name}"), id=f"F{line}") for line, name in places
    ]


def suspects(workspace: Workspace, names: str) -> dict[str, float]:
    scene = workspace.scene(*failures(workspace, names))
    definition.candidates(scene)
    walk.candidates(scene)
    (result,) = spectrum.candidates(scene)
    return {lead.name: lead.score for lead in result.leads}


def test_what_all_failing_tests_reach_and_no_other_is_suspected_most() -> None:
    found = suspects(Workspace(ROUTER), "abcdefgh")
    assert max(found, key=lambda name: found[name]) == "clean"
    assert found["clean"] > 2 * found["match"]


def test_what_a_single_failing_test_uses_is_no_shared_suspect() -> None:
    assert "route_a" not in suspects(Workspace(ROUTER), "abcdefgh")


def test_a_few_failing_tests_share_too_much_by_chance() -> None:
    assert suspects(Workspace(ROUTER), "abcde") == {}


def test_many_failing_tests_are_better_evidence_than_few() -> None:
    workspace = Workspace(ROUTER)
    assert suspects(workspace, "abcdefgh")["clean"] > suspects(workspace, "abcdef")["clean"]


def test_a_test_is_known_by_its_name_when_only_a_helper_is_located() -> None:
    files = {
        "tests/test_router.py": "def check(value):\n    assert value\n\n\ndef test_a():\n    check(0)\n",
    }
    workspace = Workspace(files)
    scene = workspace.scene(assertion(("tests/test_router.py", 2), test="tests/test_router.py::test_a[case-1]"))
    assert [workspace.snapshot.symbol(test).name for test in failing_tests(scene)] == ["test_a"]
