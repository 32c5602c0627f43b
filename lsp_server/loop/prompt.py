"""The prompt of one round: what is to be done, how to answer, the pack, and what went wrong before."""

from __future__ import annotations

from collections.abc import Sequence

TASK = """\
You are fixing a program. The command below fails. Change the program so that it succeeds; change tests only if
they are wrong. Make the smallest change that fixes the cause.

Command: {command}
"""

FORMAT = """\
Answer with one or more SEARCH/REPLACE blocks and nothing that looks like one beside them:

path/of/the/file.py
<<<<<<< SEARCH
the exact present lines, indentation included
=======
the new lines
>>>>>>> REPLACE

The SEARCH lines must occur exactly once in the file: add lines around them when they do not. Leave line numbers
out. An empty SEARCH creates a file. All blocks are applied together or none is.
"""

GOAL = "Goal of the user, verbatim:\n\n{goal}\n"
FEEDBACK = "What happened to your earlier answers:\n\n{feedback}\n"
MAX_FEEDBACK = 6_000
"""Characters of feedback; the newest counts, so the oldest is cut."""


def prompt_of(command: Sequence[str], goal: str, pack: str, feedback: Sequence[str]) -> str:
    """The whole prompt. The stable parts come first, so that a provider's prompt cache can hold them."""
    parts = [TASK.format(command=" ".join(command)), FORMAT]
    if goal:
        parts.append(GOAL.format(goal=goal))
    if feedback:
        joined = "\n".join(f"- {one}" for one in feedback)
        parts.append(FEEDBACK.format(feedback=joined[-MAX_FEEDBACK:]))
    parts.append(pack)
    return "\n".join(parts)
