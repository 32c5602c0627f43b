"""Other programs on the same files in the same run: Aider's repository map, universal-ctags, ripgrep, rank_bm25."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path

from lsp_server.index.snapshot import Snapshot
from lsp_server.text.words import terms

from .measuring import Spent, child, median, percentile, run_timed
from .options import Options
from .places import failing_places
from .report import Row, not_installed
from .sessions import indexed

FIGURE = "compare"
AIDER_SECONDS = 1_200

# Aider's RepoMap as its own chat makes it, apart from the model: only a token count is asked of that.
AIDER_SCRIPT = """
import json, sys, time
from pathlib import Path
from aider.repomap import RepoMap
class Model:
    def token_count(self, text): return len(text) // 4
class Quiet:
    def __getattr__(self, name): return lambda *a, **k: None
    def read_text(self, name):
        try: return Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError): return None
root, listed = sys.argv[1], sys.argv[2]
files = [str(Path(root) / line) for line in Path(listed).read_text().splitlines()]
wall, cpu = time.perf_counter(), time.process_time()
text = RepoMap(map_tokens=1024, root=root, main_model=Model(), io=Quiet()).get_repo_map([], files) or ""
print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "size": len(text)}))
"""


def measure(options: Options) -> list[Row]:
    """Rows about the first corpus."""
    name, root = options.corpora[0]
    cache = options.scratch / "compare-cold"
    made = child("index", root, cache)
    cold = Spent(made["wall"], made["cpu"])
    rows = _aider(options, name, root, cold, cache)
    rows.append(_ctags(options, name, root, cold))
    rows.append(_ripgrep(options, name, root))
    with indexed(root, cache) as session:
        rows += _rank_bm25(options, name, root, session.snapshot())
    return rows


def _aider(options: Options, name: str, root: Path, cold: Spent, cache: Path) -> list[Row]:
    if options.aider is None or not Path(options.aider).exists():
        return [not_installed(FIGURE, "Aider RepoMap 0.86.2")]
    listed = options.scratch / "aider-files.txt"
    with indexed(root, cache) as session:
        listed.write_text("\n".join(session.snapshot().paths()), encoding="utf-8")
    first = _aider_map(options.aider, root, listed)
    again = _aider_map(options.aider, root, listed)
    watch = child("index", root, cache)
    warm = Spent(watch["wall"], watch["cpu"])
    shutil.rmtree(root / ".aider.tags.cache.v4", ignore_errors=True)
    return [
        _against(name, "cold index / Aider's first map", cold, first, 1 / 8),
        _against(name, "warm index / Aider's warm map", warm, again, 1 / 10),
    ]


def _aider_map(python: str, root: Path, listed: Path) -> Spent:
    done = subprocess.run(
        (python, "-c", AIDER_SCRIPT, str(root), str(listed)),
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=AIDER_SECONDS,
    )
    made = json.loads(done.stdout.splitlines()[-1])
    if not made["size"]:
        raise AssertionError("Aider's map is empty")
    return Spent(made["wall"], made["cpu"])


def _against(name: str, what: str, ours: Spent, theirs: Spent, reach: float | None) -> Row:
    note = f"{ours.wall:.1f} s against {theirs.wall:.1f} s; CPU {ours.cpu:.1f} against {theirs.cpu:.1f}"
    return Row(FIGURE, name, what, ours.wall / theirs.wall, reach=reach, note=note)


def _ctags(options: Options, name: str, root: Path, cold: Spent) -> Row:
    if options.ctags is None or "Universal Ctags" not in _first_line(options.ctags):
        return not_installed(FIGURE, "universal-ctags")
    command = (options.ctags, "-R", "-f", str(options.scratch / "tags"), "--fields=+n", str(root))
    return _against(name, "cold index / universal-ctags (definitions only)", cold, run_timed(command), None)


def _ripgrep(options: Options, name: str, root: Path) -> Row:
    if options.ripgrep is None:
        return not_installed(FIGURE, "ripgrep")
    scans = [run_timed((options.ripgrep, "-F", "-c", "value", str(root))) for _ in range(options.scale.repeats)]
    scan = median([spent.wall for spent in scans])
    return Row(FIGURE, name, "one rg -F scan", scan * 1e3, "ms", note=_first_line(options.ripgrep))


def _first_line(program: str) -> str:
    done = subprocess.run((program, "--version"), check=False, capture_output=True, text=True)
    return done.stdout.partition("\n")[0]


def _rank_bm25(options: Options, name: str, root: Path, snapshot: Snapshot) -> list[Row]:
    """The stock class over the same chunks: making it is what an edit would cost it."""
    try:
        from rank_bm25 import BM25Okapi
    except ImportError:
        return [not_installed(FIGURE, "rank_bm25")]
    chunks = _chunk_terms(snapshot, root)
    begin = time.process_time()
    stock = BM25Okapi(chunks)
    making = time.process_time() - begin
    ours: list[float] = []
    theirs: list[float] = []
    for place in failing_places(snapshot, root, min(10, options.scale.builds)):
        query = terms(f"{place.name} {place.text}")
        begin = time.process_time()
        snapshot.search(query, 20)
        ours.append(time.process_time() - begin)
        begin = time.process_time()
        stock.get_scores(query)
        theirs.append(time.process_time() - begin)
    our, their = percentile(ours, 0.5), percentile(theirs, 0.5)
    note = f"{our * 1e3:.2f} ms against {their * 1e3:.1f} ms, {len(chunks)} chunks; stock class made in {making:.1f} s"
    return [Row(FIGURE, name, "search / stock rank_bm25 query, CPU", our / their, note=note)]


def _chunk_terms(snapshot: Snapshot, root: Path) -> list[list[str]]:
    found: list[list[str]] = []
    for path in snapshot.paths():
        view = snapshot.file(path)
        if view is None:
            continue
        lines = (root / path).read_text(encoding="utf-8", errors="replace").split("\n")
        columns = view.facts.chunks
        spans = zip(columns.start, columns.end, strict=True)
        found += [terms("\n".join(lines[first - 1 : last])) or ["-"] for first, last in spans]
    return found
