"""What a request names is made fresh first."""

from __future__ import annotations

from lsp_server.model.request import BuildRequest, FailureOutput
from lsp_server.session.building import files_named

PENDING = tuple(f"app{number}/tests/test_views.py" for number in range(300))


def test_a_file_that_is_written_out_in_full_comes_before_those_that_share_its_name() -> None:
    output = FailureOutput("app250/tests/test_views.py:3: AssertionError\n")
    named = files_named(BuildRequest(failure_output=(output,)), PENDING)
    assert named[0] == "app250/tests/test_views.py"
    assert set(named) < set(PENDING)


def test_a_file_under_another_root_is_found_by_its_name() -> None:
    output = FailureOutput("/builds/x/tests/test_views.py:3: AssertionError\n")
    assert "app0/tests/test_views.py" in files_named(BuildRequest(failure_output=(output,)), PENDING)
