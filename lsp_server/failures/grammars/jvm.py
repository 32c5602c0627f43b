"""Java, Kotlin, Scala, Groovy, Clojure: stack traces with causes, Maven, Gradle, Surefire, sbt, kotlinc."""

from __future__ import annotations

import re

from lsp_server.model.failure import FailureKind
from lsp_server.text.late_pattern import late_pattern

from ..drafts import Draft, PathStyle, RawFrame, Trace, diagnostic, kind_of, severity_of
from ..grammar import DONE, Block, Context, Grammar, Opened
from .traces import TraceBlock, TraceStyle, message_above

_PREFIX = r"(?:\[\w{1,10}\]\s?)?"
_FRAME = late_pattern(
    rf"^{_PREFIX}\s*(?:at )?(?:[\w.$-]{{0,60}}//?)?(?:[\w.]{{1,80}}@[\w.-]{{1,40}}/|[\w.-]{{1,60}}/"
    rf"(?:[\w.-]{{1,40}}/)?)?"
    r"(?P<owner>[\w$.]{1,400})\.(?P<name>[\w$<>]{1,200})\((?P<file>[\w$ .-]{1,200}\."
    r"(?:java|kt|kts|scala|groovy|clj|cljc)):(?P<line>\d{1,9})\)"
)
_FILLER = late_pattern(
    rf"^{_PREFIX}\s*(?:at [^\n]*|\.\.\. \d+ (?:more|trimmed|common frames omitted|frames? "
    rf"(?:truncated|excluded))[^\n]*|---- .*|\[\.\.\.\]|\[CIRCULAR REFERENCE.*)$"
)
_CAUSE = late_pattern(rf"^{_PREFIX}\s*(?:Caused by|Wrapped by|Cause \d+): (?P<message>.*)$")


def frame(line: str) -> RawFrame | None:
    """`at package.Class.method(File.java:12)`, with jar, module and log prefixes."""
    match = _FRAME.match(line)
    if match is None:
        return None
    owner = match["owner"]
    return RawFrame(
        f"{owner}|{match['file']}",
        int(match["line"]),
        symbol=f"{owner.split('.')[-1]}.{match['name']}",
        style=PathStyle.JAVA,
    )


STYLE = TraceStyle("java", frame, _FILLER, _CAUSE)
_SUPPRESSED = late_pattern(rf"^{_PREFIX}\s+Suppressed: ")


class _JavaTrace(TraceBlock):
    _suppressed: int | None = None

    def feed(self, line: str, context: Context) -> bool:
        indent = len(line) - len(line.lstrip())
        if _SUPPRESSED.match(line):
            self._suppressed = indent
            return True
        if self._suppressed is not None:
            if indent > self._suppressed:
                return frame(line) is not None or STYLE.filler is None or STYLE.filler.match(line) is not None
            self._suppressed = None
        return super().feed(line, context)


def _below_heading(before: list[str]) -> list[str]:
    """The lines above a trace, nearest first, down to JUnit's numbered heading, which is no message."""
    at = next((number for number, line in enumerate(before) if _JUNIT_TEST.match(line)), len(before))
    return before[:at]


def _open_stack(line: str, context: Context) -> Block | Opened | None:
    if frame(line) is None:
        return None
    message = message_above(_below_heading(context.before), frame)
    message = re.sub(r'^(?:\[\w+\]\s*)?(?:Exception in thread "[^"]{1,100}" )?', "", message)
    block = _JavaTrace(STYLE, message)
    block.feed(line, context)
    return block


_JUNIT_TEST = late_pattern(
    r"^\d{1,6}\) (?P<test>[\w$][^\n()]{0,300}(?:\([^\n()]{0,100}\))?(?:\[[^\n\]]{0,200}\])?)"
    r"\((?P<owner>[\w$]+(?:\.[\w$]+)*)\)$"
)
_JUPITER_TEST = late_pattern(
    r"^\s+MethodSource \[className = '(?P<owner>[^'\n]{1,300})', methodName = '(?P<test>[^'\n]{1,300})'"
)
_GRADLE_TEST = late_pattern(r"^(?P<owner>[\w.$]{1,300})(?: > [^\n>]{1,200})*? > (?P<test>[^\n>]{1,300}?) FAILED$")
_SUREFIRE_TEST = late_pattern(
    r"^(?:\[ERROR\] +)?(?P<owner>[\w.$]{1,300})\.(?P<test>[\w$\[\]{}(), ]{1,200}?) +"
    r"(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!"
)
_SUREFIRE_OLD = late_pattern(
    r"^(?:\[ERROR\] +)?(?P<test>\w{1,200})\((?P<owner>[\w.$]{1,300})\) +(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!"
)


def _open_test(line: str, context: Context) -> Block | Opened | None:
    match = (
        _JUNIT_TEST.match(line)
        or _JUPITER_TEST.match(line)
        or _GRADLE_TEST.match(line)
        or _SUREFIRE_TEST.match(line)
        or _SUREFIRE_OLD.match(line)
    )
    if match is None:
        return None
    context.test = f"{match['owner']}.{match['test'].removesuffix('()')}"
    return DONE


_GRADLE_SHORT = late_pattern(
    r"^\s+(?P<text>[\w.$]{1,200}(?:Error|Exception|Failure|Throwable)\w*(?:: .*)?) at (?P<file>[\w$]{1,200}\."
    r"(?:java|kt|groovy|scala)):(?P<line>\d{1,9})$"
)


def _open_gradle(line: str, context: Context) -> Block | Opened | None:
    match = _GRADLE_SHORT.match(line)
    if match is None:
        return None
    owner = (context.test or "").rpartition(".")[0]
    place = RawFrame(f"{owner}|{match['file']}", int(match["line"]), style=PathStyle.JAVA)
    if owner and owner.split(".")[-1].split("$")[0] != match["file"].rsplit(".", 1)[0]:
        place.path = f"|{match['file']}"
    last = context.last
    if (
        line.startswith("        ")
        and last is not None
        and last.test == context.test
        and context.before
        and "Caused by" in line
    ):
        last.traces.insert(0, Trace(match["text"], [place]))
        return DONE
    context.emit(
        Draft(
            match["text"],
            kind_of(match["text"]),
            test=context.test,
            tool="gradle",
            traces=[Trace(match["text"], [place])],
        )
    )
    return DONE


_SUREFIRE_LINE = late_pattern(
    r"^(?:\[ERROR\] +|  )(?P<chain>[A-Z]\w{0,200}\.\w{1,200}:\d{1,9}(?:->[\w.$]{1,200}:\d{1,9})*)(?: (?P<text>.*))?$"
)


def _open_surefire(line: str, context: Context) -> Block | Opened | None:
    match = _SUREFIRE_LINE.match(line)
    if match is None:
        return None
    frames: list[RawFrame] = []
    owner = ""
    for link in match["chain"].split("->"):
        name, _, number = link.rpartition(":")
        owner, name = (name.rpartition(".")[0] or owner, name.rpartition(".")[2])
        frames.append(RawFrame(f"|{owner.split('$')[0]}.java", int(number), symbol=name, style=PathStyle.JAVA))
    frames.reverse()
    told = {(one.path.partition("|")[2], one.line) for draft in context.drafts[-200:] for one in draft.frames()}
    if (frames[0].path.partition("|")[2], frames[0].line) in told:
        return DONE
    text = match["text"] or ""
    kind = kind_of(text, FailureKind.ASSERTION)
    context.emit(Draft(text, kind, test=match["chain"].split(":")[0], tool="surefire", traces=[Trace(text, frames)]))
    return DONE


_MAVEN = late_pattern(
    r"^\[(?P<level>ERROR|WARNING|INFO)\] (?P<path>(?:[A-Za-z]:)?[^\s:\[][^\n:\[]{0,600}):\[(?P<line>\d{1,9})"
    r"(?:,(?P<col>\d{1,9}))?\](?: error:)? ?(?P<text>.*)$"
)
_MAVEN_COLON = late_pattern(
    r"^\[(?P<level>ERROR|WARN|WARNING|error|warn|info)\]\s+(?P<path>"
    r"(?:[A-Za-z]:)?[^\s:\[][^\n:\[]{0,600}\.\w{1,8}):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))?:? ?"
    r"(?:error: |warning: )?(?P<text>.*)$"
)
_SCALA3 = late_pattern(
    r"^(?:\[(?:error|warn)\] )?-- (?:\[(?P<code>\w{1,12})\] )?(?P<text>[^\n:]{1,200}?)"
    r"(?P<level>Error|Warning|Info): (?P<path>[^\n:]{1,600}):(?P<line>\d{1,9})(?::(?P<col>\d{1,9}))? -*$"
)
_KOTLIN = late_pattern(
    r"^(?P<level>e|w|i): (?P<path>(?:file://)?(?:[A-Za-z]:)?[^\n:]{1,800}\.kts?): ?\(?"
    r"(?P<line>\d{1,9})[:,] ?(?P<col>\d{1,9})\)?:? (?P<text>.*)$"
)
_GROOVY = late_pattern(
    r"^(?P<path>(?:[A-Za-z]:)?[^\n:'\"]{1,600}\.(?:groovy|gradle)): (?P<line>\d{1,9}): (?P<text>.*?)"
    r"(?: @ line \d+, column (?P<col>\d+)\.)?$"
)
_GRADLE_SCRIPT = late_pattern(
    r"^(?:\* Where:)?\s*(?:Build|Settings|Script|Initialization) (?:script|file) '"
    r"(?P<path>[^'\n]{1,600})' line: (?P<line>\d{1,9})(?P<text>)(?P<col>)$"
)
_CLOJURE = late_pattern(
    r"^(?:FAIL|ERROR) in \((?P<test>[^\n)]{1,200})\) \((?P<path>[\w./-]{1,300}\.cljc?):"
    r"(?P<line>\d{1,9})\)(?P<text>)(?P<col>)$"
)
_SCALATEST = late_pattern(
    r"^(?:\[info\] )?\s*(?P<text>[^\n]{1,600}?) \((?P<path>[\w$]{1,200}\.scala):(?P<line>\d{1,9})\)(?P<col>)$"
)


def _open_maven(line: str, context: Context) -> Block | Opened | None:
    match = (
        _MAVEN.match(line)
        or _SCALA3.match(line)
        or _MAVEN_COLON.match(line)
        or _KOTLIN.match(line)
        or _GROOVY.match(line)
    )
    if match is None:
        return None
    groups = match.groupdict()
    level = groups.get("level")
    text = match["text"].strip()
    code = groups.get("code")
    tail = re.search(r" \[(?P<rule>[A-Z]\w{2,60})\]$", text)
    if tail:
        code, text = tail["rule"], text[: tail.start()]
    place = RawFrame(match["path"].strip(), int(match["line"]), int(match["col"]) if match["col"] else None)
    context.emit(
        diagnostic(
            text,
            place,
            severity=severity_of({"e": "error", "w": "warning", "i": "info"}.get(level or "", level)),
            code=code,
            tool="maven",
        )
    )
    return DONE


def _open_named(line: str, context: Context) -> Block | Opened | None:
    script, clojure, scala = _GRADLE_SCRIPT.match(line), _CLOJURE.match(line), _SCALATEST.match(line)
    if script:
        context.emit(diagnostic("build script failed", RawFrame(script["path"], int(script["line"])), tool="gradle"))
        return DONE
    if clojure:
        place = RawFrame(clojure["path"], int(clojure["line"]))
        context.emit(
            Draft("", FailureKind.ASSERTION, test=clojure["test"], tool="clojure.test", traces=[Trace("", [place])])
        )
        return DONE
    if scala:
        place = RawFrame(f"|{scala['path']}", int(scala["line"]), style=PathStyle.JAVA)
        test = next(
            (one.split("***")[0].strip(" []-info") for one in context.before[:3] if "*** FAILED" in one), context.test
        )
        context.emit(
            Draft(
                scala["text"],
                kind_of(scala["text"], FailureKind.ASSERTION),
                test=test,
                tool="scalatest",
                traces=[Trace("", [place])],
            )
        )
        return DONE
    return None


GRAMMARS = (
    Grammar(
        "java-stack",
        "stack trace with causes",
        ("Java", "Kotlin", "Scala", "Groovy", "Clojure", "Log4j", "Logback"),
        "at com.example.X.f(X.java:17)",
        ("/\\.(?:java|kt|kts|scala|groovy|cljc?):\\d{1,7}\\)/",),
        _open_stack,
    ),
    Grammar(
        "gradle-short", "exception at file", ("Gradle",), "AssertionError at XTest.java:23", (" at ",), _open_gradle
    ),
    Grammar(
        "jvm-test",
        "failed test heading",
        ("JUnit", "Gradle", "Surefire"),
        "XTest > f() FAILED",
        (" FAILED", "<<< FAIL", "<<< ERROR", "MethodSource [", *(f"{digit}) " for digit in range(10))),
        _open_test,
    ),
    Grammar(
        "surefire",
        "Surefire summary",
        ("Maven Surefire",),
        "[ERROR] XTest.f:23->helper:12 expected",
        ("[ERROR] ", "->"),
        _open_surefire,
    ),
    Grammar(
        "maven",
        "[ERROR] file:[line,column]",
        ("Maven", "Checkstyle", "sbt", "scalac"),
        "[ERROR] /app/X.java:[12,34] msg",
        ("[ERROR] ", "[WARN", "[error] ", "[warn] ", "-- ["),
        _open_maven,
    ),
    Grammar(
        "kotlinc",
        "kotlinc and ktlint",
        ("kotlinc", "Gradle"),
        "e: file:///app/X.kt:3:5 msg",
        (".kt:", ".kts:"),
        _open_maven,
    ),
    Grammar(
        "scala-arrow",
        "Scala 3 heading",
        ("scalac",),
        "-- Error: X.scala:12:3 ---",
        ("-- Error", "-- Warning", "-- Syntax", "-- Type"),
        _open_maven,
    ),
    Grammar(
        "groovy",
        "Groovy compiler",
        ("groovyc", "Jenkins"),
        "X.groovy: 12: unexpected token",
        (".groovy: ", ".gradle: "),
        _open_maven,
    ),
    Grammar(
        "jvm-named",
        "Gradle scripts, clojure.test, ScalaTest",
        ("Gradle", "clojure.test", "ScalaTest"),
        "Build file 'build.gradle' line: 12",
        ("' line: ", "FAIL in (", "ERROR in (", ".scala:"),
        _open_named,
    ),
)
