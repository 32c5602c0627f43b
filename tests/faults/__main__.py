"""`python -m tests.faults [--kills N] [NAME]...`: inject every fault, print how each ended."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from .faults import FAULTS, killed
from .workspace import LIMIT, Ended, Wrong


def main() -> int:
    """Command line; exit code 1 when a fault ended badly or late."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only faults whose name holds one of these words")
    parser.add_argument("--kills", type=int, default=50, help="servers to kill in the search for orphans")
    options = parser.parse_args()
    chosen = {name: fault for name, fault in FAULTS.items() if _wanted(name, options.names)}
    if _wanted("orphans", options.names):
        chosen[f"orphans after {options.kills} kills"] = lambda folder: killed(folder, options.kills)
    print(f"{os.cpu_count()} CPUs, load {_load():.1f} a CPU; late is what takes {LIMIT:.0f} s times that, or longer")
    print(f"{'fault':<30} {'seconds':>8}  ended", flush=True)
    bad = 0
    for name, fault in chosen.items():
        with tempfile.TemporaryDirectory(prefix="fault") as place:
            folder = Path(place).resolve() / "workspace"
            folder.mkdir()
            try:
                ended = fault(folder)
            except Exception as error:
                kind = "WRONG" if isinstance(error, Wrong) else type(error).__name__
                ended = Ended(f"{kind}: {error}", 0.0)
                bad += 1
        late = "  LATE" if ended.seconds > LIMIT * max(1.0, _load()) else ""
        bad += bool(late)
        print(f"{name:<30} {ended.seconds:>8.2f}  {ended.how}{late}", flush=True)
    return 1 if bad else 0


def _load() -> float:
    """Processes that want to run, a CPU: so many times longer does everything take than on an idle machine."""
    return os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 1.0


def _wanted(name: str, words: list[str]) -> bool:
    return not words or any(word in name for word in words)


if __name__ == "__main__":
    sys.exit(main())
