"""A name that nothing defines leads to the imports of the code that uses it."""

from __future__ import annotations

import pytest

from lsp_server.retrieval import unknown_name

from .workspace_of_texts import Workspace, exception

FILES = {
    "register.py": ("import os\nimport sys\n\n\ndef register(task):\n    logger.debug(task)\n    return os.getpid()\n"),
}


@pytest.mark.parametrize(
    "message",
    [
        "NameError: name 'logger' is not defined",
        "./register.go:6:2: undefined: logger",
        "error TS2304: Cannot find name 'logger'.",
        "ReferenceError: logger is not defined",
        "error[E0425]: cannot find value `logger` in this scope",
        "NameError: uninitialized constant logger",
        "error: 'logger' was not declared in this scope",
        "error CS0103: The name 'logger' does not exist in the current context",
    ],
)
def test_an_unknown_name_leads_to_the_imports(message: str) -> None:
    scene = Workspace(FILES).scene(exception(("register.py", 6), message=message))
    (result,) = unknown_name.candidates(scene)
    assert [(lead.range.start, lead.range.end) for lead in result.leads] == [(1, 2)]
    assert "`logger`" in result.leads[0].why


def test_other_failures_say_nothing_of_imports() -> None:
    scene = Workspace(FILES).scene(exception(("register.py", 6), message="ValueError: the name is not valid"))
    assert unknown_name.candidates(scene)[0].leads == ()
