"""Policies are named and versioned."""

from __future__ import annotations

import pytest

from lsp_server.context.policies import DEFAULT_POLICY, POLICIES, Tier, policy_named, tier_of
from lsp_server.model.errors import RequestError

from .selection_cases import candidate, failing


def test_a_policy_is_found_by_name_or_id() -> None:
    for policy in POLICIES.values():
        assert policy_named(policy.name) is policy_named(policy.id) is policy
    assert policy_named(None) is DEFAULT_POLICY


def test_an_unknown_policy_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(RequestError, match="tiered") as caught:
        policy_named("best")
    assert caught.value.path == "policy"


def test_tiers_go_by_failing_file_first_then_reason() -> None:
    evidence = failing(("a.py", 1))
    assert tier_of(candidate("x", "a.py", reason="search"), evidence) is Tier.FAILING
    assert tier_of(candidate("x", "b.py", reason="reference"), evidence) is Tier.REFERENCE
    assert tier_of(candidate("x", "b.py", reason="search"), evidence) is Tier.SEARCH
    assert tier_of(candidate("x", "b.py", reason="failure"), evidence) is None
