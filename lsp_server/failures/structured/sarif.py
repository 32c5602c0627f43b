"""SARIF 2.1.0: levels through rules, artifacts by index, base URIs, suppressed and absent results left out."""

from __future__ import annotations

from collections.abc import Mapping

from lsp_server.model.failure import FailureKind, Role
from lsp_server.model.request import Severity

from ..drafts import Draft, RawFrame, Trace
from .reading import Structure, TextReader
from .values import EMPTY, Json, at, mapping, objects, string, whole

_LEVELS = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.INFORMATION}


def _accepts(value: Json) -> bool:
    top = mapping(value)
    return isinstance(top.get("runs"), list) and ("version" in top or "$schema" in top)


def _read(value: Json, _read: TextReader) -> list[Draft]:
    drafts: list[Draft] = []
    for run in objects(mapping(value).get("runs")):
        for result in objects(run.get("results")):
            draft = _result(run, result)
            if draft is not None:
                drafts.append(draft)
    return drafts


def _result(run: Mapping[str, Json], result: Mapping[str, Json]) -> Draft | None:
    kind = string(result.get("kind")) or "fail"
    if kind not in {"fail", "open", "review"} or string(result.get("baselineState")) in {"absent", "unchanged"}:
        return None
    if any(string(one.get("status")) in {"", "accepted"} for one in objects(result.get("suppressions"))):
        return None
    rule = _rule(run, result)
    level = string(result.get("level")) or string(at(rule, "defaultConfiguration", "level")) or "warning"
    if level == "none":
        return None
    message = string(at(result, "message", "text")) or string(at(result, "message", "markdown"))
    code = string(result.get("ruleId")) or string(rule.get("id")) or None
    places = [_place(run, one) for one in objects(result.get("locations"))]
    related = [_place(run, one) for one in objects(result.get("relatedLocations"))]
    for flow in objects(result.get("codeFlows")):
        for thread in objects(flow.get("threadFlows")):
            related.extend(_place(run, mapping(one.get("location"))) for one in objects(thread.get("locations")))
    for stack in objects(result.get("stacks")):
        places.extend(_place(run, mapping(one.get("location"))) for one in objects(stack.get("frames")))
    for one in related:
        if one is not None:
            one.role = Role.RELATED
    draft = Draft(message, FailureKind.DIAGNOSTIC, _LEVELS.get(level, Severity.WARNING), code)
    draft.tool = string(at(run, "tool", "driver", "name"))
    draft.traces = [Trace(message, [one for one in places if one is not None])]
    draft.related = [one for one in related if one is not None]
    return draft


def _rule(run: Mapping[str, Json], result: Mapping[str, Json]) -> Mapping[str, Json]:
    rules = objects(at(run, "tool", "driver", "rules"))
    reference = result.get("ruleIndex", at(result, "rule", "index"))
    if isinstance(reference, int) and 0 <= reference < len(rules):
        return rules[reference]
    name = string(result.get("ruleId")) or string(at(result, "rule", "id"))
    return next((rule for rule in rules if name and string(rule.get("id")) == name), EMPTY)


def _place(run: Mapping[str, Json], location: Mapping[str, Json]) -> RawFrame | None:
    physical = mapping(location.get("physicalLocation"))
    artifact = mapping(physical.get("artifactLocation"))
    uri, base = string(artifact.get("uri")), string(artifact.get("uriBaseId"))
    index = artifact.get("index")
    artifacts = objects(run.get("artifacts"))
    if not uri and isinstance(index, int) and 0 <= index < len(artifacts):
        artifact = mapping(artifacts[index].get("location"))
        uri, base = string(artifact.get("uri")), string(artifact.get("uriBaseId"))
    line = whole(at(physical, "region", "startLine"))
    if not uri or not line:
        return None
    seen = 0
    while base and seen < 8 and "://" not in uri:
        root = mapping(mapping(run.get("originalUriBaseIds")).get(base))
        uri, base, seen = string(root.get("uri")) + uri, string(root.get("uriBaseId")), seen + 1
    end = whole(at(physical, "region", "endLine"))
    names = [
        string(one.get("fullyQualifiedName") or one.get("name")) for one in objects(location.get("logicalLocations"))
    ]
    column = whole(at(physical, "region", "startColumn")) or None
    return RawFrame(uri, line, column, end if end > line else None, symbol=names[0] if names and names[0] else None)


STRUCTURE = Structure("sarif", "SARIF 2.1.0", ("CodeQL", "Semgrep", "ESLint", "clang", "MSVC"), _accepts, _read)
