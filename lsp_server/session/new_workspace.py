"""Whether much work is about to come, told from next to nothing: before the modules are loaded that will do it."""

from __future__ import annotations

from ..index.image_files import has_image
from ..workspace.at_least import holds_at_least
from ..workspace.roots import Roots
from .cache_folder import cache_folder
from .settings import Settings

MANY_FILES = 300
"""With so many files and nothing known of them, workers start before all files are listed."""


def workspace_name(roots: Roots) -> str:
    """What the folders together are called where something is kept about them."""
    return "\n".join(str(root.path) for root in roots.roots)


def is_new_and_large(roots: Roots, settings: Settings) -> bool:
    """True when the whole workspace will have to be extracted, and has many files. A guess: wrong, it costs little."""
    if settings.cache and has_image(cache_folder(settings.cache_folder), workspace_name(roots)):
        return False
    return holds_at_least(roots, MANY_FILES)
