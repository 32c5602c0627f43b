"""Random damage to the captured outputs: `python -m tests.failures.fuzz --runs 10000 [--seed 1]`.

Every run cuts, splices and sprinkles bytes over fixtures and holds the answer to three promises: no exception, no place
outside the workspace or its files' lines, and no run that takes far longer than its size explains.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass

from lsp_server.failures import parse_failures
from lsp_server.model.request import FailureOutput

from .fixture_cases import Case, cases
from .folder_view import Folder

HANG = 20.0
"""Seconds of processor time after which a run counts as hung; ordinary ones take milliseconds."""


@dataclass
class Summary:
    """What came of all runs."""

    runs: int = 0
    bytes: int = 0
    failures: int = 0
    slowest: float = 0.0


def damaged(random_: random.Random, all_cases: tuple[Case, ...]) -> tuple[bytes, Case]:
    """A fixture's bytes after one to four random operations, and the fixture whose workspace to use."""
    case = random_.choice(all_cases)
    data = bytearray(case.data[:60_000])
    for _ in range(random_.randint(1, 4)):
        operation = random_.randrange(7)
        at = random_.randrange(len(data) + 1)
        if operation == 0:
            data = data[:at] if random_.random() < 0.5 else data[at:]
        elif operation == 1:
            other = random_.choice(all_cases).data
            start = random_.randrange(len(other) + 1)
            data[at:at] = other[start : start + random_.randrange(4_000)]
        elif operation == 2:
            for _ in range(random_.randint(1, 30)):
                if data:
                    data[random_.randrange(len(data))] = random_.randrange(256)
        elif operation == 3:
            del data[at : at + random_.randrange(200)]
        elif operation == 4:
            lines = bytes(data).split(b"\n")
            random_.shuffle(lines)
            data = bytearray(b"\n".join(lines))
        elif operation == 5:
            data[at:at] = random_.choice(NASTY) * random_.randint(1, 400)
        else:
            data = bytearray(bytes(data).replace(b"\n", random_.choice((b"\r\n", b"\r", b"\n\n"))))
    return bytes(data), case


NASTY = (
    b'(', b'[', b'a.b', b'  at ', b'File "', b':1', b': ', b' | ', b'\x1b[', b'\x00', b'\xff\xfe', b'../', b'x.py:1:',
    b'{', b'["', b'<a>', b'   ', b'\t', b'> ', b'E ', b'#0 ', b'at a (', b'((((', b'99999999999999999999',
    b'\xc3\xa9',
)  # fmt: skip


def check(data: bytes, folder: Folder, cwd: str | None) -> int:
    """Parses `data`; raises AssertionError on a place outside the workspace. Returns the number of failures."""
    report = parse_failures([FailureOutput(data, cwd=cwd)], [], folder, folder)
    for failure in report.failures:
        for place in failure.locations:
            assert folder.has(place.path), place
            assert 1 <= place.line <= len(folder.read(place.path).lines), place
            assert place.end_line is None or place.end_line >= place.line, place
            assert 0.0 < place.confidence <= 1.0, place
    return len(report.failures)


def run(runs: int, seed: int) -> Summary:
    """`runs` damaged outputs in a row."""
    random_ = random.Random(seed)
    summary = Summary()
    everything = cases()
    for number in range(runs):
        data, case = damaged(random_, everything)
        started = time.process_time()
        try:
            summary.failures += check(data, case.folder, case.output.cwd)
        except Exception as error:
            raise AssertionError(f"run {number} of seed {seed} on {case.id}") from error
        took = time.process_time() - started
        assert took < HANG, f"run {number} of seed {seed} on {case.id} took {took:.1f} s"
        summary.runs += 1
        summary.bytes += len(data)
        summary.slowest = max(summary.slowest, took)
    return summary


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    done = run(arguments.runs, arguments.seed)
    print(
        f"{done.runs} runs, {done.bytes / 1e6:.0f} MB, {done.failures} failures read: no crash, no hang "
        f"(slowest {done.slowest:.2f} s), no place outside the workspace"
    )


if __name__ == "__main__":
    main()
