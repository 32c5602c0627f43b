"""Name resolution without a type checker: scopes, imports, packages, bindings; one file a language."""

from .resolution import CONFIDENT, UNRESOLVED, Resolution
from .resolver import Resolver

__all__ = ["CONFIDENT", "UNRESOLVED", "Resolution", "Resolver"]
