"""Short samples of tools' documented formats: the primary place of every failure, in order."""

# ruff: noqa: E501
# Outputs are shown as the tools print them.

from __future__ import annotations

import pytest

from lsp_server.failures import parse_failures
from lsp_server.model.request import FailureOutput

from .folder_view import Folder

PATHS = [
    "src/x.c", "src/x.cpp", "src/x.h", "include/y.h", "src/main.rs", "src/lib.rs", "x.go", "pkg/x.go",
    "pkg/x_test.go", "src/x.js", "src/y.js", "src/x.ts", "src/App.js", "test/x.test.js", "tests/x.spec.ts",
    "src/x.py", "src/pkg/mod.py", "tests/test_x.py", "templates/x.html", "src/main/java/com/example/X.java",
    "src/test/java/com/example/XTest.java", "src/main/kotlin/com/example/K.kt", "src/main/scala/S.scala",
    "src/test/scala/SSpec.scala", "build.gradle", "pom.xml", "X/X.cs", "X.Tests/XTest.cs", "lib/x.rb",
    "spec/x_spec.rb", "test/x_test.rb", "app/models/user.rb", "src/X.php", "tests/XTest.php", "lib/X.pm", "t/x.t",
    "script.sh", "x.lua", "spec/x_spec.lua", "lib/x.ex", "test/x_test.exs", "src/m.erl", "src/X.hs", "test/XSpec.hs",
    "bin/main.ml", "lib/x.dart", "test/x_test.dart", "Sources/App/X.swift", "Tests/AppTests/XTests.swift", "main.tf",
    "modules/net/main.tf", "Dockerfile", "CMakeLists.txt", "Makefile", "BUILD", "x.ps1", "R/x.R",
    "tests/testthat/test-x.R", "src/x.jl", "test/runtests.jl", "db/x.sql", "config/x.yml", "chart/templates/x.yaml",
    "docs/x.rst", "docs/x.md", "src/x.zig", "src/x.nim", "x.nix", "src/x.cr", "src/x.clj", "test/x_test.clj",
    "contracts/X.sol", "src/x.proto", "paper/x.tex", ".github/workflows/ci.yml", "src/x.vue", "src/x.svelte",
    "src/x.css", "src/x.f90", "rtl/x.v", "src/x.d", "src/x.tcl", "playbook.yml", "src/X.fs", "pubspec.yaml",
    "features/x.feature", "src/x.tsx", "cypress/e2e/x.cy.js",
]  # fmt: skip
LINES = "".join(f"line {number}\n" for number in range(1, 81))
FOLDER = Folder(dict.fromkeys(PATHS, LINES))

SAMPLES: dict[str, tuple[str, list[str]]] = {
    "clang-tidy": (
        "/ci/build/src/x.cpp:12:5: warning: use nullptr [modernize-use-nullptr]\n    int *p = 0;\n             ^\n             nullptr\n",
        ["src/x.cpp:12"],
    ),
    "clang-cl": ("src\\x.cpp(12,5): error: use of undeclared identifier 'y'\n", ["src/x.cpp:12"]),
    "ubsan": ("src/x.c:12:7: runtime error: signed integer overflow: 2147483647 + 1\n", ["src/x.c:12"]),
    "c-assert": ("prog: src/x.c:12: main: Assertion `n > 0' failed.\nAborted (core dumped)\n", ["src/x.c:12"]),
    "gtest": (
        "[ RUN      ] Pump.Starts\n/ci/src/x.cpp:12: Failure\nExpected equality of these values:\n  1\n  2\n[  FAILED  ] Pump.Starts (0 ms)\n",
        ["src/x.cpp:12"],
    ),
    "catch2": (
        "-----\nPump starts\n-----\nsrc/x.cpp:10\n.....\n\nsrc/x.cpp:12: FAILED:\n  REQUIRE( a == b )\nwith expansion:\n  1 == 2\n",
        ["src/x.cpp:12"],
    ),
    "ld-bfd": (
        "/usr/bin/ld: CMakeFiles/app.dir/src/x.cpp.o: in function `main':\nx.cpp:(.text+0x15): undefined reference to `f()'\n",
        [],
    ),
    "lld": ("ld.lld: error: undefined symbol: f()\n>>> referenced by x.cpp:12 (/ci/src/x.cpp:12)\n", ["src/x.cpp:12"]),
    "lldb": (
        "* thread #1, stop reason = EXC_BAD_ACCESS\n  * frame #0: 0x1000 app`f(n=4) at x.cpp:12:5\n    frame #1: 0x1001 app`main at x.cpp:20:3\n",
        ["src/x.cpp:12"],
    ),
    "tsan": (
        "WARNING: ThreadSanitizer: data race (pid=7)\n  Write of size 4 at 0x7b by thread T1:\n    #0 work /ci/src/x.cpp:12:3 (app+0x1)\n\n"
        "  Previous read of size 4 at 0x7b by main thread:\n    #0 main /ci/src/x.cpp:20:3 (app+0x2)\n\nSUMMARY: ThreadSanitizer: data race\n",
        ["src/x.cpp:12"],
    ),
    "clippy": (
        "warning: this `if` has identical blocks\n  --> src/main.rs:12:5\n   |\n12 |     line 12\n   |     ^^^\n   = note: `#[warn(clippy::x)]`\n",
        ["src/main.rs:12"],
    ),
    "old-rust-panic": ("thread 'main' panicked at 'boom', src/main.rs:12:5\nnote: run with `RUST_BACKTRACE=1`\n", ["src/main.rs:12"]),
    "nextest": (
        "        FAIL [   0.005s] app tests::a\n\n--- STDERR:              app tests::a ---\n\nthread 'tests::a' panicked at src/lib.rs:12:5:\nboom\n",
        ["src/lib.rs:12"],
    ),
    "golangci": (
        "pkg/x.go:12:3: Error return value is not checked (errcheck)\n\tf()\n\t ^\n",
        ["pkg/x.go:12"],
    ),
    "staticcheck": ("pkg/x.go:12:3: should use fmt.Errorf (S1028)\n", ["pkg/x.go:12"]),
    "testify": (
        "=== RUN   TestA\n    x_test.go:12: \n        \tError Trace:\t/ci/pkg/x_test.go:12\n        \tError:      \tNot equal: \n"
        "        \tTest:       \tTestA\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.org/m/pkg\t0.1s\n",
        ["pkg/x_test.go:12"],
    ),
    "go-deadlock": (
        "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/ci/x.go:12 +0x1d\nexit status 2\n",
        ["x.go:12"],
    ),
    "gotestsum-json": (
        '{"Action":"run","Package":"example.org/m/pkg","Test":"TestA"}\n'
        '{"Action":"output","Package":"example.org/m/pkg","Test":"TestA","Output":"=== RUN   TestA\\n"}\n'
        '{"Action":"output","Package":"example.org/m/pkg","Test":"TestA","Output":"    x_test.go:12: want 1\\n"}\n'
        '{"Action":"output","Package":"example.org/m/pkg","Test":"TestA","Output":"--- FAIL: TestA (0.00s)\\n"}\n'
        '{"Action":"output","Package":"example.org/m/pkg","Output":"FAIL\\n"}\n'
        '{"Action":"output","Package":"example.org/m/pkg","Output":"FAIL\\texample.org/m/pkg\\t0.1s\\n"}\n',
        ["pkg/x_test.go:12"],
    ),
    "deno": (
        "error: Uncaught (in promise) Error: boom\n    throw new Error('boom');\n          ^\n    at f (file:///ci/src/x.ts:12:9)\n    at file:///ci/src/x.ts:20:1\n",
        ["src/x.ts:12"],
    ),
    "deno-lint": ("error[no-unused-vars]: `a` is never used\n --> /ci/src/x.ts:12:7\n   | \n12 | line 12\n   |     ^\n", ["src/x.ts:12"]),
    "bun": (
        '10 | line 10\n11 | line 11\n12 | line 12\n          ^\nerror: boom\n      at f (/ci/src/x.ts:12:9)\n      at /ci/src/x.ts:20:1\n',
        ["src/x.ts:12"],
    ),
    "bun-test": (
        "test/x.test.js:\n10 | line 10\n12 | line 12\n       ^\nerror: expect(received).toBe(expected)\n\nExpected: 2\nReceived: 1\n\n"
        "      at <anonymous> (/ci/test/x.test.js:12:5)\n✗ adds [0.1ms]\n",
        ["test/x.test.js:12"],
    ),
    "browser-chrome": (
        "Uncaught TypeError: Cannot read properties of undefined (reading 'a')\n    at f (http://localhost:5173/src/x.ts?t=1700000000000:12:9)\n",
        ["src/x.ts:12"],
    ),
    "browser-firefox": ("TypeError: a is undefined\nf@http://localhost:5173/src/x.js:12:9\n@http://localhost:5173/src/y.js:20:1\n", ["src/x.js:12"]),
    "playwright": (
        "  1) [chromium] › tests/x.spec.ts:10:5 › signs in ─────────\n\n    Error: expect(locator).toBeVisible() failed\n\n"
        "      11 | line 11\n    > 12 | line 12\n         |  ^\n\n        at /ci/tests/x.spec.ts:12:24\n\n  1 failed\n",
        ["tests/x.spec.ts:12"],
    ),
    "cypress": (
        "  1 failing\n\n  1) shop\n       pays:\n     AssertionError: Timed out retrying after 4000ms: expected 1 to equal 2\n"
        "      at Context.eval (webpack://shop/./cypress/e2e/x.cy.js:12:8)\n",
        ["cypress/e2e/x.cy.js:12"],
    ),
    "ava": (
        "  ✘ [fail]: adds\n  ─\n\n  adds\n\n  test/x.test.js:12\n\n   11: line 11\n   12: line 12\n\n  Difference:\n\n  - 1\n  + 2\n\n  › file://test/x.test.js:12:5\n",
        ["test/x.test.js:12"],
    ),
    "jasmine": (
        "Failures:\n1) shop pays\n  Message:\n    Expected 1 to be 2.\n  Stack:\n    Error: Expected 1 to be 2.\n        at <Jasmine>\n"
        "        at UserContext.<anonymous> (/ci/test/x.test.js:12:15)\n",
        ["test/x.test.js:12"],
    ),
    "karma": (
        "Chrome 120 (Linux) shop pays FAILED\n\tExpected 1 to be 2.\n\t    at UserContext.<anonymous> (http://localhost:9876/base/test/x.test.js?abc:12:15)\n",
        ["test/x.test.js:12"],
    ),
    "eslint-compact": ("/ci/src/x.js: line 12, col 5, Error - Unexpected var. (no-var)\n", ["src/x.js:12"]),
    "stylelint": ("\nsrc/x.css\n 12:5  ✖  Unexpected unknown property  property-no-unknown\n\n1 problem\n", ["src/x.css:12"]),
    "biome": ("src/x.ts:12:5 lint/suspicious/noDoubleEquals ━━━━━━━━━━━━━━━━━━\n\n  × Use === instead of ==.\n", ["src/x.ts:12"]),
    "oxlint": ("  × eslint(no-debugger): `debugger` statement is not allowed\n    ╭─[src/x.ts:12:5]\n 12 │ line 12\n    ·     ────\n    ╰────\n", ["src/x.ts:12"]),
    "prettier": ("[error] src/x.ts: SyntaxError: ';' expected. (12:5)\n[error]   10 | line 10\n", ["src/x.ts:12"]),
    "esbuild": ('✘ [ERROR] Could not resolve "y"\n\n    src/x.ts:12:19:\n      12 │ line 12\n         ╵      ~~~\n\n1 error\n', ["src/x.ts:12"]),
    "vite-esbuild": ('Error: Transform failed with 1 error:\n/ci/src/x.ts:12:5: ERROR: Unexpected "}"\n', ["src/x.ts:12"]),
    "rollup": ("[!] (plugin rpt2) Error: /ci/src/x.ts:12:5 - error TS2304: Cannot find name 'y'.\n", ["src/x.ts:12"]),
    "rollup-place": ("[!] RollupError: Expected ';'\nsrc/x.js (12:5)\n10: line 10\n", ["src/x.js:12"]),
    "webpack-ts": ("ERROR in /ci/src/x.ts\n./src/x.ts 12:5-10\n[tsl] ERROR in /ci/src/x.ts(12,5)\n      TS2304: Cannot find name 'y'.\n", ["src/x.ts:12"]),
    "webpack-fork": ("ERROR in ./src/x.ts:12:5\nTS2304: Cannot find name 'y'.\n    10 | line 10\n  > 12 | line 12\n", ["src/x.ts:12"]),
    "next": ("Failed to compile.\n\n./src/x.tsx:12:5\nType error: Property 'a' does not exist on type 'B'.\n\n  10 | line 10\n> 12 | line 12\n", ["src/x.tsx:12"]),
    "cra": ("./src/App.js\n  Line 12:5:  'a' is not defined  no-undef\n\nSearch for the keywords\n", ["src/App.js:12"]),
    "svelte-check": ("/ci/src/x.svelte:12:5\nError: Type 'string' is not assignable to type 'number'. (ts)\n  line 12\n\n", ["src/x.svelte:12"]),
    "angular": ("Error: src/x.ts:12:5 - error TS2304: Cannot find name 'y'.\n\n12     line 12\n       ~~\n", ["src/x.ts:12"]),
    "vue-tsc": ("src/x.vue(12,5): error TS2322: Type 'string' is not assignable to type 'number'.\n", ["src/x.vue:12"]),
    "django-template": (
        'Traceback (most recent call last):\n  File "/ci/.venv/lib/python3.12/site-packages/django/template/base.py", line 513, in parse\n    f()\n'
        '  File "/ci/templates/x.html", line 12, in template\n    line 12\njinja2.exceptions.UndefinedError: y is undefined\n',
        ["templates/x.html:12"],
    ),
    "celery": (
        "[2026-01-02 10:00:00,000: ERROR/ForkPoolWorker-1] Task a.b[1-2] raised unexpected: ValueError('x')\nTraceback (most recent call last):\n"
        '  File "/ci/src/x.py", line 12, in run\n    line 12\nValueError: x\n',
        ["src/x.py:12"],
    ),
    "sphinx": ("/ci/docs/x.rst:12: WARNING: undefined label: foo [ref.ref]\n", ["docs/x.rst:12"]),
    "black": ("error: cannot format src/x.py: Cannot parse for target version Python 3.12: 12:5: line 12\n", []),
    "pyright-text": ("/ci/src/x.py\n  /ci/src/x.py:12:5 - error: \"y\" is not defined (reportUndefinedVariable)\n1 error\n", ["src/x.py:12"]),
    "basedpyright-text": ("src/x.py:12:5 - warning: Type is partially unknown (reportUnknownMemberType)\n", ["src/x.py:12"]),
    "pyrefly-ty": ("error[unresolved-reference]: Name `y` used when not defined\n  --> src/x.py:12:5\n   |\n12 | line 12\n   |     ^\n", ["src/x.py:12"]),
    "pycodestyle": ("./src/x.py:12:80: E501 line too long (99 > 79 characters)\n", ["src/x.py:12"]),
    "pydocstyle-vulture": ("src/x.py:12: unused function 'f' (60% confidence)\n", ["src/x.py:12"]),
    "bandit-text": (">> Issue: [B101:assert_used] Use of assert detected.\n   Severity: Low   Confidence: High\n   Location: ./src/x.py:12:4\n", ["src/x.py:12"]),
    "yaml-error": ('yaml.scanner.ScannerError: mapping values are not allowed here\n  in "config/x.yml", line 12, column 5\n', ["config/x.yml:12"]),
    "yamllint": ("./config/x.yml\n  12:5      error    syntax error: expected <block end> (syntax)\n\n", ["config/x.yml:12"]),
    "yamllint-parsable": ("config/x.yml:12:5: [error] wrong indentation (indentation)\n", ["config/x.yml:12"]),
    "maven-compiler": (
        "[ERROR] COMPILATION ERROR : \n[ERROR] /ci/src/main/java/com/example/X.java:[12,34] cannot find symbol\n  symbol:   class Y\n",
        ["src/main/java/com/example/X.java:12"],
    ),
    "surefire": (
        "[ERROR] com.example.XTest.adds -- Time elapsed: 0.01 s <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <1> but was: <2>\n"
        "\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)\n\tat com.example.XTest.adds(XTest.java:12)\n\n"
        "[ERROR] Failures: \n[ERROR]   XTest.adds:12 expected: <1> but was: <2>\n",
        ["src/test/java/com/example/XTest.java:12"],
    ),
    "surefire-summary": ("[ERROR] Failures: \n[ERROR]   XTest.adds:12->helper:20 expected: <1> but was: <2>\n", ["src/test/java/com/example/XTest.java:20"]),
    "junit4-runner": (
        "There was 1 failure:\n1) adds[2: a, b](com.example.XTest)\nexpected:<1> but was:<2>\n\tat com.example.X.add(X.java:20)\n"
        "\tat com.example.XTest.adds(XTest.java:12)\n\t... 32 trimmed\nCaused by: java.lang.IllegalStateException: no\n"
        "\tat com.example.X.deep(X.java:30)\n\t... 40 more\n\nFAILURES!!!\nTests run: 26,  Failures: 1\n",
        ["src/main/java/com/example/X.java:30"],
    ),
    "junit5-console": (
        "Failures (1):\n  JUnit Jupiter:XTest:adds()\n    MethodSource [className = 'com.example.XTest', methodName = 'adds', methodParameterTypes = '']\n"
        "    => org.opentest4j.AssertionFailedError: expected: <1> but was: <2>\n       org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)\n"
        "       com.example.XTest.adds(XTest.java:12)\n       [...]\n     Caused by: java.lang.IllegalStateException: no\n"
        "       com.example.X.deep(X.java:30)\n       [...]\n",
        ["src/main/java/com/example/X.java:30"],
    ),
    "gradle-test": ("XTest > adds() FAILED\n    org.opentest4j.AssertionFailedError at XTest.java:12\n\n1 test completed, 1 failed\n", ["src/test/java/com/example/XTest.java:12"]),
    "gradle-script": ("FAILURE: Build failed with an exception.\n\n* Where:\nBuild file '/ci/build.gradle' line: 12\n\n* What went wrong:\nA problem\n", ["build.gradle:12"]),
    "kotlinc-old": ("e: /ci/src/main/kotlin/com/example/K.kt: (12, 5): Unresolved reference: y\n", ["src/main/kotlin/com/example/K.kt:12"]),
    "kotlin-trace": ('Exception in thread "main" java.lang.IllegalStateException: x\n\tat com.example.KKt.main(K.kt:12)\n', ["src/main/kotlin/com/example/K.kt:12"]),
    "ktlint": ("src/main/kotlin/com/example/K.kt:12:5: Unexpected indentation (8) (standard:indent)\n", ["src/main/kotlin/com/example/K.kt:12"]),
    "checkstyle-text": ("[ERROR] /ci/src/main/java/com/example/X.java:12:5: Missing a Javadoc comment. [MissingJavadocMethod]\n", ["src/main/java/com/example/X.java:12"]),
    "scalac-sbt": ("[error] /ci/src/main/scala/S.scala:12:5: type mismatch;\n[error]  found   : String\n[error]     line 12\n[error]     ^\n", ["src/main/scala/S.scala:12"]),
    "scala3": ("[error] -- [E007] Type Mismatch Error: /ci/src/main/scala/S.scala:12:5 -----\n[error] 12 |  line 12\n", ["src/main/scala/S.scala:12"]),
    "scalatest": ("[info] - adds *** FAILED ***\n[info]   1 did not equal 2 (SSpec.scala:12)\n", ["src/test/scala/SSpec.scala:12"]),
    "clojure-test": ("FAIL in (adds) (x_test.clj:12)\nexpected: (= 1 2)\n  actual: (not (= 1 2))\n", ["test/x_test.clj:12"]),
    "clojure-compile": ("Syntax error compiling at (src/x.clj:12:5).\nUnable to resolve symbol: y in this context\n", ["src/x.clj:12"]),
    "dotnet-build": ("/ci/X/X.cs(12,5): error CS0103: The name 'y' does not exist in the current context [/ci/X/X.csproj]\n", ["X/X.cs:12"]),
    "dotnet-test": (
        "  Failed App.XTest.Adds [12 ms]\n  Error Message:\n   Assert.Equal() Failure\nExpected: 1\nActual:   2\n  Stack Trace:\n"
        "     at App.XTest.Adds() in /ci/X.Tests/XTest.cs:line 12\n   at System.Reflection.MethodInvoker.Invoke()\n",
        ["X.Tests/XTest.cs:12"],
    ),
    "dotnet-exception": (
        "Unhandled exception. System.InvalidOperationException: boom\n   at App.X.Fire(Int32 x) in C:\\ci\\X\\X.cs:line 12\n   at App.Entry.Main() in C:\\ci\\X\\X.cs:line 20\n",
        ["X/X.cs:12"],
    ),
    "fsharp": ("/ci/src/X.fs(12,5): error FS0039: The value 'y' is not defined.\n", ["src/X.fs:12"]),
    "ruby-34": ("lib/x.rb:12:in 'X#a': boom (RuntimeError)\n\tfrom lib/x.rb:20:in 'X#b'\n\tfrom lib/x.rb:30:in '<main>'\n", ["lib/x.rb:12"]),
    "rubocop": ("lib/x.rb:12:5: C: [Correctable] Style/StringLiterals: Prefer single-quoted strings\n", ["lib/x.rb:12"]),
    "rails-log": ("NoMethodError (undefined method `x' for nil:NilClass):\n\napp/models/user.rb:12:in `full_name'\n", ["app/models/user.rb:12"]),
    "rails-test": (
        "Failure:\nUserTest#test_name [test/x_test.rb:12]:\nExpected: 1\n  Actual: 2\n\n\nbin/rails test test/x_test.rb:10\n",
        ["test/x_test.rb:12"],
    ),
    "phpunit": ("There was 1 failure:\n\n1) XTest::testA\nFailed asserting that 1 is identical to 2.\n\n/ci/tests/XTest.php:12\n\nFAILURES!\n", ["tests/XTest.php:12"]),
    "pest": ("   FAILED  Tests\\XTest > it adds\n  Failed asserting that 1 is 2.\n\n  at tests/XTest.php:12\n      8▕ \n", ["tests/XTest.php:12"]),
    "phpstan": (" ------ ------------------------\n  Line   src/X.php\n ------ ------------------------\n  12     Undefined variable: $y\n ------ ------------------------\n", ["src/X.php:12"]),
    "phpstan-raw": ("/ci/src/X.php:12:Undefined variable: $y\n", ["src/X.php:12"]),
    "psalm": ("ERROR: UndefinedVariable - src/X.php:12:5 - Cannot find referenced variable $y (see https://psalm.dev/024)\n", ["src/X.php:12"]),
    "phpcs": ("FILE: /ci/src/X.php\n----------------\nFOUND 1 ERROR AFFECTING 1 LINE\n----------------\n 12 | ERROR | [x] Missing doc\n----------------\n", ["src/X.php:12"]),
    "perl-confess": ("boom at lib/X.pm line 12.\n\tX::f(1) called at script.pl line 20\n", ["lib/X.pm:12"]),
    "test-more": ("not ok 1 - adds\n#   Failed test 'adds'\n#   at t/x.t line 12.\n#          got: '1'\n", ["t/x.t:12"]),
    "bash": ("script.sh: line 12: foo: command not found\n", ["script.sh:12"]),
    "dash": ("script.sh: 12: Syntax error: \"fi\" unexpected\n", ["script.sh:12"]),
    "lua": ("lua: x.lua:12: attempt to index a nil value (global 'y')\nstack traceback:\n\tx.lua:12: in function 'f'\n\tx.lua:20: in main chunk\n\t[C]: in ?\n", ["x.lua:12"]),
    "busted": ("Failure → spec/x_spec.lua @ 10\nadds\nspec/x_spec.lua:12: Expected objects to be equal.\n", ["spec/x_spec.lua:10", "spec/x_spec.lua:12"]),
    "elixir-compile": ("** (CompileError) lib/x.ex:12: undefined function y/0\n", ["lib/x.ex:12"]),
    "elixir-15": ('    error: undefined variable "y"\n    │\n 12 │   line 12\n    │   ^\n    │\n    └─ lib/x.ex:12:3: X.f/0\n', ["lib/x.ex:12"]),
    "exunit": (
        "  1) test adds (XTest)\n     test/x_test.exs:10\n     Assertion with == failed\n     code:  assert 1 == 2\n     left:  1\n     right: 2\n"
        "     stacktrace:\n       test/x_test.exs:12: (test)\n\nFinished in 0.03 seconds\n",
        ["test/x_test.exs:12"],
    ),
    "elixir-runtime": ("** (ArithmeticError) bad argument in arithmetic expression\n    (app 0.1.0) lib/x.ex:12: X.f/1\n    (stdlib 4.0) erl_eval.erl:748: :erl_eval.do_apply/7\n", ["lib/x.ex:12"]),
    "erlc": ("src/m.erl:12:5: function f/0 is undefined\n", ["src/m.erl:12"]),
    "ghc": ("src/X.hs:12:5: error: [GHC-88464]\n    Variable not in scope: y\n   |\n12 | line 12\n   |     ^\n", ["src/X.hs:12"]),
    "hspec": ("Failures:\n\n  test/XSpec.hs:12:5: \n  1) X adds\n       expected: 1\n        but got: 2\n\n", ["test/XSpec.hs:12"]),
    "haskell-callstack": ("app: boom\nCallStack (from HasCallStack):\n  error, called at src/X.hs:12:3 in main:X\n", ["src/X.hs:12"]),
    "ocaml": ('File "bin/main.ml", line 12, characters 5-10:\n12 | line 12\n          ^^^^^\nError: Unbound value y\n', ["bin/main.ml:12"]),
    "dart-compile": ("lib/x.dart:12:5: Error: Undefined name 'y'.\n  line 12\n      ^\n", ["lib/x.dart:12"]),
    "dart-analyze": ("  error • Undefined name 'y' • lib/x.dart:12:5 • undefined_identifier\n", ["lib/x.dart:12"]),
    "dart-trace": ("Unhandled exception:\nException: boom\n#0      f (package:app/x.dart:12:5)\n#1      main (file:///ci/test/x_test.dart:20:3)\n", ["lib/x.dart:12"]),
    "dart-test": ("00:01 +0 -1: adds [E]\n  Expected: <1>\n    Actual: <2>\n  package:matcher      expect\n  test/x_test.dart 12:5  main.<fn>\n", ["test/x_test.dart:12"]),
    "swiftc": ("/ci/Sources/App/X.swift:12:5: error: cannot find 'y' in scope\n    line 12\n    ^\n", ["Sources/App/X.swift:12"]),
    "xctest": ("/ci/Tests/AppTests/XTests.swift:12: error: XTests.testA : XCTAssertEqual failed: (\"1\") is not equal to (\"2\")\n", ["Tests/AppTests/XTests.swift:12"]),
    "swift-trap": ("App/X.swift:12: Fatal error: Index out of range\n", ["Sources/App/X.swift:12"]),
    "terraform": ('╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 12, in resource "a" "b":\n│   12:   line 12\n│ \n╵\n', ["main.tf:12"]),
    "docker": (
        "#5 ERROR: process \"/bin/sh -c false\" did not complete successfully: exit code: 1\nDockerfile:12\n--------------------\n  11 |     line 11\n"
        "  12 | >>> line 12\n--------------------\nERROR: failed to solve: exit code: 1\n",
        ["Dockerfile:12"],
    ),
    "hadolint": ("Dockerfile:12 DL3008 warning: Pin versions in apt get install\n", ["Dockerfile:12"]),
    "cmake": ("CMake Error at CMakeLists.txt:12 (find_package):\n  Could not find a package\n\n\n-- Configuring incomplete, errors occurred!\n", ["CMakeLists.txt:12"]),
    "make": ("Makefile:12: *** missing separator.  Stop.\n", ["Makefile:12"]),
    "bazel": ("ERROR: /ci/BUILD:12:10: Couldn't build file x.o: Compiling x.c failed\n", ["BUILD:12"]),
    "powershell-5": ("boom\nAt C:\\ci\\x.ps1:12 char:5\n+     line 12\n+     ~~~~~~~\n    + CategoryInfo          : OperationStopped\n", ["x.ps1:12"]),
    "powershell-7": ("Exception: /ci/x.ps1:12:5\nLine |\n  12 |  line 12\n     |  ~~~~~~~\n     | boom\n", ["x.ps1:12"]),
    "testthat": ("── Failure (test-x.R:12:3): adds ──\n1 not equal to 2.\n", ["tests/testthat/test-x.R:12"]),
    "lintr": ("R/x.R:12:3: style: [object_name_linter] Variable name style\n", ["R/x.R:12"]),
    "julia": ("ERROR: LoadError: boom\nStacktrace:\n [1] error(s::String)\n   @ Base ./error.jl:35\n [2] f()\n   @ Main /ci/src/x.jl:12\n", ["src/x.jl:12"]),
    "julia-test": ("adds: Test Failed at /ci/test/runtests.jl:12\n  Expression: 1 == 2\n", ["test/runtests.jl:12"]),
    "psql": ("psql:db/x.sql:12: ERROR:  relation \"y\" does not exist\n", ["db/x.sql:12"]),
    "sqlfluff": ("== [db/x.sql] FAIL\nL:  12 | P:   5 | LT01 | Expected only single space.\n", ["db/x.sql:12"]),
    "helm": ("Error: template: chart/templates/x.yaml:12:5: executing \"x\" at <.Values.a>: nil pointer\n", ["chart/templates/x.yaml:12"]),
    "ansible": ("The error appears to be in '/ci/playbook.yml': line 12, column 3, but may\nbe elsewhere\n", ["playbook.yml:12"]),
    "actionlint": (".github/workflows/ci.yml:12:5: unexpected key \"x\" for \"job\" section [syntax-check]\n", [".github/workflows/ci.yml:12"]),
    "markdownlint": ("docs/x.md:12:81 MD013/line-length Line length [Expected: 80; Actual: 99]\n", ["docs/x.md:12"]),
    "zig": ("src/x.zig:12:5: error: use of undeclared identifier 'y'\n    line 12\n    ^\n", ["src/x.zig:12"]),
    "nim": ("/ci/src/x.nim(12, 5) Error: undeclared identifier: 'y'\n", ["src/x.nim:12"]),
    "nix": ("error: undefined variable 'y'\n       at /ci/x.nix:12:5:\n           11| line 11\n           12| line 12\n", ["x.nix:12"]),
    "crystal": ("In src/x.cr:12:5\n\n 12 | line 12\n      ^\nError: undefined local variable 'y'\n", ["src/x.cr:12"]),
    "solc": ("Error: Undeclared identifier.\n  --> contracts/X.sol:12:5:\n   |\n12 |     line 12\n   |     ^^^\n", ["contracts/X.sol:12"]),
    "protoc": ("src/x.proto:12:5: \"Y\" is not defined.\n", ["src/x.proto:12"]),
    "latex": ("./paper/x.tex:12: Undefined control sequence.\nl.12 \\foo\n", ["paper/x.tex:12"]),
    "gfortran": ("src/x.f90:12:5:\n\n   12 | line 12\n      |     1\nError: Symbol 'y' at (1) has no IMPLICIT type\n", ["src/x.f90:12"]),
    "verilator": ("%Error: rtl/x.v:12:5: syntax error, unexpected endmodule\n", ["rtl/x.v:12"]),
    "dmd": ("src/x.d(12): Error: undefined identifier `y`\n", ["src/x.d:12"]),
    "tcl": ('invalid command name "y"\n    while executing\n"y"\n    (file "src/x.tcl" line 12)\n', ["src/x.tcl:12"]),
    "azure": ("##vso[task.logissue type=error;sourcepath=src/x.py;linenumber=12;columnnumber=5;code=E1]boom\n", ["src/x.py:12"]),
    "teamcity": ("##teamcity[testFailed name='adds' message='expected: 1' details='at f (/ci/src/x.js:12:5)|n']\n", ["src/x.js:12"]),
    "cucumber": ("Failing Scenarios:\ncucumber features/x.feature:12 # Scenario: pays\n", ["features/x.feature:12"]),
    "pino": ('{"level":50,"time":1,"err":{"type":"Error","message":"boom","stack":"Error: boom\\n    at f (/ci/src/x.js:12:5)"},"msg":"boom"}\n{"level":30,"msg":"ok"}\n', ["src/x.js:12"]),
    "python-json-log": ('{"level":"ERROR","message":"failed","exc_info":"Traceback (most recent call last):\\n  File \\"/ci/src/x.py\\", line 12, in f\\n    line 12\\nValueError: x"}\n{"level":"INFO","message":"a"}\n', ["src/x.py:12"]),
    "buildkite": ("\x1b_bk;t=1700000000000\x07src/x.py:12:5: error: boom\n\x1b_bk;t=1700000000001\x07done\n", ["src/x.py:12"]),
    "gitlab": ("2026-01-02T10:00:00.000000Z 00O src/x.py:12:5: error: boom\n2026-01-02T10:00:00.100000Z 00O done\n2026-01-02T10:00:00.200000Z 00O end\n", ["src/x.py:12"]),
    "gh-run-view": (
        "build\tRun tests\t2026-01-02T10:00:00.0000000Z src/x.py:12:5: error: boom\nbuild\tRun tests\t2026-01-02T10:00:00.1000000Z a\nbuild\tRun tests\t2026-01-02T10:00:00.2000000Z b\n",
        ["src/x.py:12"],
    ),
}  # fmt: skip


def primaries(text: str, folder: Folder = FOLDER) -> list[str]:
    """The primary places that `text` gives, in order."""
    report = parse_failures([FailureOutput(text)], [], folder, folder)
    return [f"{failure.primary.path}:{failure.primary.line}" for failure in report.failures if failure.primary]


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_gives_its_places(name: str) -> None:
    text, expected = SAMPLES[name]
    assert primaries(text) == expected


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_gives_the_same_places_between_other_lines(name: str) -> None:
    if name in {"pino", "python-json-log", "gotestsum-json", "gh-run-view", "gitlab"}:
        pytest.skip("needs to stand alone: the form of the whole output decides")
    text, expected = SAMPLES[name]
    around = "INFO starting at 12:30:45\nGET http://host:8080/a 200\n\n"
    assert primaries(around + text + "\n" + around) == expected


@pytest.mark.parametrize("name", ["junit4-runner", "junit5-console"])
def test_junit_runners_name_the_test_the_message_and_every_frame(name: str) -> None:
    report = parse_failures([FailureOutput(SAMPLES[name][0])], (), FOLDER, FOLDER)
    (failure,) = report.failures
    assert (failure.test or "").startswith("com.example.XTest.adds")
    assert failure.message.startswith(("expected:<1>", "org.opentest4j"))
    assert [place.line for place in failure.locations][-1] == 12


def test_pytest_subtests_of_the_summary_are_failures_of_their_test() -> None:
    folder = Folder({"tests/test_x.py": "class TestK:\n    def test_sub(self):\n        pass\n"})
    text = (
        "=== FAILURES ===\nE   AssertionError: 1 != 0\n/usr/lib/python3.11/unittest/case.py:866: AssertionError: 1 != 0\n"
        "=== short test summary info ===\nSUBFAILED(i=0) tests/test_x.py::TestK::test_sub - AssertionError: 1 != 0\n"
        "SUBFAILED(i=1) tests/test_x.py::TestK::test_sub - AssertionError: 2 != 1\n== 2 failed in 1.59s ==\n"
    )
    failures = parse_failures([FailureOutput(text)], (), folder, folder).failures
    assert [failure.test for failure in failures] == [
        "tests/test_x.py::TestK::test_sub (i=0)",
        "tests/test_x.py::TestK::test_sub (i=1)",
    ]
    assert all(failure.locations[0].path == "tests/test_x.py" for failure in failures)
