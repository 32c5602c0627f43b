"""A model for tests: answers the files given as arguments one after the other, the last one for ever.

It keeps count in the file named first, and leaves every prompt beside it.
"""

from __future__ import annotations

import sys
from pathlib import Path

counter = Path(sys.argv[1])
answers = sys.argv[2:]
turn = int(counter.read_text()) if counter.exists() else 0
counter.write_text(str(turn + 1))
counter.with_suffix(f".prompt{turn}").write_text(sys.stdin.read(), encoding="utf-8")
answer = answers[min(turn, len(answers) - 1)]
if answer == "crash":
    sys.exit("no credit left")
sys.stdout.write(Path(answer).read_text(encoding="utf-8"))
