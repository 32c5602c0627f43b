"""What a path says of a file: test, generated, vendored, lock file, docs, configuration.

By names alone, by each language's own conventions; content is judged elsewhere. Sources of the vendored
and generated names: GitHub Linguist's `vendor.yml` and `generated.rb`; of test names: the test runners'
own defaults (pytest, unittest, Jest, Vitest, Go, Cargo, Surefire, NUnit/xUnit templates, RSpec, Minitest,
PHPUnit, XCTest, ScalaTest, GoogleTest, Bats).
"""

from __future__ import annotations

import re
from enum import IntFlag

from ..text.late_pattern import late_pattern


class PathFlag(IntFlag):
    """What the path says. Values are stored: append only."""

    NONE = 0
    TEST = 1
    GENERATED = 2
    VENDORED = 4
    LOCK = 8
    DOCS = 16
    CONFIG = 32


_TEST_FOLDERS = frozenset(
    """
    test tests testing __tests__ __test__ spec specs e2e cypress playwright integration_tests integration-tests
    unittest unittests unit_tests androidtest commontest jvmtest jstest nativetest iostest sharedtest testfixtures
    test-utils testdata test_data __mocks__ __fixtures__ __snapshots__ bats
    """.split()  # noqa: SIM905 - a table of words
)
_TEST_FOLDER_SUFFIX = late_pattern(r"[._-](?i:tests?|specs?)$|(?<=[a-z0-9])(?:UnitTests|UITests|Tests|Specs)$")

# File names, by the case that the convention prescribes.
_TEST_FILE = late_pattern(
    r"""^(?:
      (?:test|tests)_.*\.(?:py|pyi|rb|php|sh|bash|c|cc|cpp|cxx|rs|ts|js|jl|lua|ex|exs)   # test_x.py, test_x.rb
    | .*_(?:test|tests|spec)\.[A-Za-z0-9]+                                              # x_test.go, x_spec.rb
    | .*[.-](?:test|tests|spec|specs|e2e|cy)\.[cm]?[jt]sx?                              # x.test.ts, x.spec.mjs
    | .*[.-](?:test|spec)\.(?:vue|svelte|coffee|php|sh)
    | (?:[A-Z]\w*)?(?:Test|Tests|TestCase|TestSuite|IT|ITCase|Spec|Specs|Suite)
        \.(?:java|kt|kts|scala|groovy|cs|fs|vb|swift|php|cpp|cc|cxx|h|hpp|m|mm|dart)       # FooTest.java, FooSpec.scala
    | Test[A-Z0-9]\w*\.(?:java|kt|scala|groovy|cs|php|cpp|cc)                            # TestFoo.java
    | conftest\.py | (?:test|tests)\.(?:py|rs|ts|tsx|js|mjs|cjs|go|rb|php|c|cpp|sh)
    | .*\.bats | .*\.(?:t|phpt|snap)
    | (?:spec|test|rails)_helper\.rb | (?:jest|vitest|cypress|playwright|karma)\.(?:config|setup)\.[cm]?[jt]s
    )$""",
    re.VERBOSE,
)

_VENDORED_FOLDERS = frozenset(
    """
    vendor vendors vendored _vendor third_party third-party thirdparty 3rdparty external externals node_modules
    bower_components jspm_packages site-packages dist-packages .venv venv virtualenv .yarn .pnpm-store godeps pods
    carthage .bundle .gradle .cargo deps_vendored extern contrib_vendored
    """.split()  # noqa: SIM905 - a table of words
)
_VENDORED_FILE = late_pattern(
    r"^(?:jquery(?:[.-]\d[\w.-]*)?(?:\.min)?\.js|(?:bootstrap|angular|d3|moment|lodash|underscore|react|vue)"
    r"(?:[.-]\d[\w.-]*)?\.min\.(?:js|css)|gradlew(?:\.bat)?|mvnw(?:\.cmd)?|\.pnp\.[cm]?js|yarn-\d[\w.-]*\.[cm]?js)$",
    re.IGNORECASE,
)

_GENERATED_FOLDERS = frozenset(
    """
    generated __generated__ _generated gen-src generated-sources autogen dist build out target .next .nuxt
    .svelte-kit .output coverage htmlcov __pycache__ .turbo .parcel-cache .angular storybook-static
    single_include single_header amalgamated amalgamation
    """.split()  # noqa: SIM905 - a table of words
)
_GENERATED_FILE = late_pattern(
    r"""^(?:
      .*_pb2(?:_grpc)?\.pyi? | .*\.pb\.(?:go|cc|h|c|dart|swift|ts|js) | .*_grpc\.pb\.go | .*\.pb\.gw\.go
    | .*_generated\.[A-Za-z0-9]+ | .*[.]generated\.[A-Za-z0-9]+ | .*\.gen\.[A-Za-z0-9]+ | zz_generated\..*
    | .*\.g\.(?:cs|dart|kt) | .*\.g\.i\.cs | .*\.designer\.(?:cs|vb) | .*\.freezed\.dart | .*_mock\.go | mock_.*\.go
    | .*\.min\.(?:js|css|mjs|cjs) | .*[.-]bundle\.js | .*\.map | .*_string\.go | bindata\.go | .*_easyjson\.go
    | .*\.tsbuildinfo | moc_.*\.cpp | ui_.*\.h | qrc_.*\.cpp | .*\.tab\.[ch]p?p? | lex\.yy\.c | parsetab\.py
    | .*_amalgamated\.[ch](?:pp)?
    )$""",
    re.VERBOSE | re.IGNORECASE,
)

_LOCK_FILES = frozenset(
    """
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock poetry.lock uv.lock
    pdm.lock pipfile.lock conda-lock.yml pixi.lock cargo.lock go.sum go.work.sum gemfile.lock composer.lock mix.lock
    pubspec.lock podfile.lock package.resolved cartfile.resolved packages.lock.json paket.lock gradle.lockfile
    flake.lock gopkg.lock glide.lock project.lock.json mint.lock .terraform.lock.hcl requirements.lock
    buildscript-gradle.lockfile module.bazel.lock
    """.split()  # noqa: SIM905 - a table of words
)

_DOCS_FOLDERS = frozenset(
    """
    doc docs documentation man manual wiki javadoc apidoc site-docs
    """.split()  # noqa: SIM905 - a table of words
)
_DOCS_FILE = late_pattern(
    r"^(?:.*\.(?:md|mdx|markdown|rst|adoc|asciidoc|org|textile|pod|rdoc|tex)"
    r"|(?:readme|changelog|changes|history|news|license|licence|copying|notice|authors|contributors|contributing"
    r"|code_of_conduct|security|install|todo|maintainers|codeowners)(?:[.-][\w-]*)*(?:\.(?:txt|md))?)$",
    re.IGNORECASE,
)
_CODE_SUFFIX = late_pattern(
    r"\.(?:py|[cm]?[jt]sx?|go|rs|java|kt|c|cc|cpp|h|hpp|cs|rb|php|swift|scala|sh|vue|svelte)$", re.I
)

_CONFIG_FILE = late_pattern(
    r"""^(?:
      .*\.(?:toml|ini|cfg|conf|ya?ml|json|json5|jsonc|properties|plist|editorconfig|gradle|cmake|tf|hcl|bazel|bzl|nix
        |csproj|fsproj|vbproj|sln|xcconfig|pbxproj|gemspec|podspec|cabal)
    | .*\.config\.[cm]?[jt]s | .*rc(?:\.[cm]?js|\.json|\.ya?ml)? | \.[a-z0-9_-]+ignore | \.gitattributes | \.gitmodules
    | makefile | gnumakefile | dockerfile(?:\..*)? | containerfile | jenkinsfile | vagrantfile | procfile | justfile
    | cmakelists\.txt | build\.gradle\.kts | settings\.gradle\.kts | build\.sbt | pom\.xml | setup\.py | gemfile
    | rakefile | podfile | go\.mod | go\.work | build | workspace | requirements(?:[-_.][\w.-]*)?\.(?:txt|in) | tox\.ini
    | noxfile\.py | package\.swift | mix\.exs | \.babelrc | \.env\.(?:example|sample|template)
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
_CONFIG_FOLDERS = frozenset(
    """
    .github .gitlab .circleci .vscode .idea .devcontainer .husky .ci
    """.split()  # noqa: SIM905 - a table of words
)


def classify(path: str) -> PathFlag:
    """The flags of a canonical path. A file may have several, or none."""
    *folders, name = path.split("/")
    lower_folders = [folder.lower() for folder in folders]
    flags = PathFlag.NONE
    if is_test_path(path):
        flags |= PathFlag.TEST
    if _GENERATED_FILE.match(name) or any(folder in _GENERATED_FOLDERS for folder in lower_folders):
        flags |= PathFlag.GENERATED
    if _VENDORED_FILE.match(name) or any(folder in _VENDORED_FOLDERS for folder in lower_folders):
        flags |= PathFlag.VENDORED
    if name.lower() in _LOCK_FILES:
        return flags | PathFlag.LOCK
    in_docs = any(folder in _DOCS_FOLDERS for folder in lower_folders)
    if (_DOCS_FILE.match(name) and not _CODE_SUFFIX.search(name)) or (in_docs and not _CODE_SUFFIX.search(name)):
        flags |= PathFlag.DOCS
    elif _CONFIG_FILE.match(name) or any(folder in _CONFIG_FOLDERS for folder in lower_folders):
        flags |= PathFlag.CONFIG
    return flags


def is_test_path(path: str) -> bool:
    """True when the file's name or one of its folders says test, by the conventions of its language."""
    *folders, name = path.split("/")
    if _TEST_FILE.match(name):
        return True
    return any(folder.lower() in _TEST_FOLDERS or _TEST_FOLDER_SUFFIX.search(folder) for folder in folders)
