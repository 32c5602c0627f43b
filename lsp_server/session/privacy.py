"""The privacy policy that the settings ask for."""

from __future__ import annotations

from ..workspace.privacy import PrivacyPolicy
from .settings import Settings


def policy_of(settings: Settings) -> PrivacyPolicy:
    """The built-in deny-list with the user's and the administrator's additions."""
    return PrivacyPolicy(rules=settings.privacy_deny, masks=settings.privacy_mask_secrets)
