"""Writing a pack out: Markdown, XML-ish tags or JSON. Repository text is marked as untrusted data."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from ..model.failure import Failure
from ..model.pack import ContextPack, Omission, PackItem, Selection
from ..model.request import RenderFormat, RenderOptions
from .escape import code_span, visible
from .listing import preamble_pieces
from .template import Template, template_for

_HIDDEN_IN_JSON = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff\U000e0000-\U000e0fff]"
)


def render(pack: ContextPack, options: RenderOptions, plain: Mapping[str, object]) -> str | None:
    """The pack as text, items in layout order; None for format `none`. `plain` is its JSON form."""
    if options.format is RenderFormat.NONE:
        return None
    if options.format is RenderFormat.JSON:
        return json_text(plain)
    by_id = {item.id: item for item in pack.selection.items}
    items = [by_id[item_id] for item_id in pack.layout]
    return render_items(pack.selection, items, pack.failures, template_for(options))


def render_items(
    selection: Selection, items: Sequence[PackItem], failures: Sequence[Failure], template: Template
) -> str:
    """Preamble and items with `template`. Its cost by the selection's counter is at most `selection.used`."""
    pieces = preamble_pieces(template, failures, selection.items, selection.listing)
    for item in items:
        pieces += (template.heading(item), template.body(item))
    if selection.listing.notice:
        pieces.append(template.closing())
    return "".join(pieces)


def json_text(plain: Mapping[str, object]) -> str:
    """Indented JSON that stays readable in any script; hidden and bidi characters are escaped."""
    text = json.dumps(plain, ensure_ascii=False, indent=2)
    return _HIDDEN_IN_JSON.sub(_json_escape, text) + "\n"


def render_omissions(omitted: Sequence[Omission], limit: int) -> str:
    """A Markdown list of at most `limit` omissions with their causes, for people; not part of the pack's cost."""
    lines = [_omission_line(omission) for omission in omitted[:limit]]
    if len(omitted) > limit:
        lines.append(f"- {len(omitted) - limit} more")
    return "".join(f"{line}\n" for line in lines)


def _omission_line(omission: Omission) -> str:
    hints = [str(omission.cause)]
    if omission.blocked_by is not None:
        hints.append(f"blocked by {visible(omission.blocked_by)}")
    if omission.needs is not None:
        hints.append(f"needs {omission.needs} more")
    if omission.detail:
        hints.append(visible(omission.detail))
    return f"- {code_span(f'{visible(omission.path)}:{omission.range}')} {omission.reason} · {', '.join(hints)}"


def _json_escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
