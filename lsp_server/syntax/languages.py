"""The registry of languages: one entry each, and everything else about a language follows from it.

To add a language: an entry here, `queries/<id>.scm`, `imports/<id>.py`, and a fixture with its golden
text under `tests/syntax/fixtures/<id>/`. Grammars and queries are loaded when first used.
"""

from __future__ import annotations

import re
from enum import Enum
from types import MappingProxyType

from ..model.values import Value


class Content(Enum):
    """What a file of a language is made of."""

    CODE = "code"
    """One grammar reads all of it."""
    TEXT = "text"
    """No grammar: windows of lines, searchable."""
    SECTIONS = "sections"
    """No grammar: windows that start at Markdown headings."""
    SCRIPT = "script"
    """`<script>` blocks (Vue, Svelte)."""
    NOTEBOOK = "notebook"
    """Code cells of a Jupyter notebook."""
    PROJECT = "project"
    """Windows of lines, and the facts of a project file that name resolution needs."""


class Language(Value):
    """What the engine must know of a language beside its query.

    `extensions` with their dot, lower case. `grammar` is `module:function` of the grammar wheel, ""
    unless `content` is code. `queries` are files in `queries/`, put one after another. `imports` is the
    module in `imports/` ("" : none). `family` groups languages whose files use each other's names.

    `lexical` is one more file, which tells identifiers from other words in texts without errors (see
    `identifier_words`); in all others `identifiers` captures them, a query of its own. A use of a `reserved` word is
    none.

    `name_marks` surround a name without being part of it (`:symbol`, quotes).
    `separators` stand between a receiver and a name. `comments` start a comment line. `attributes` start
    a line that belongs to the definition below it although it is a sibling in the tree (`#[test]`).

    Regular expressions, over bytes; "" never matches: `exported` and `hidden` are searched in the text
    from the start of a definition's first line to the end of its name; a definition is exported when
    `exported` is found (or empty) and `hidden` is not. With `members_inherit`, members of a type are as
    exported as the type unless hidden. `test_function` and `test_class` match names; a class is a test
    only when it holds a function that matches.
    """

    id: str
    title: str
    extensions: tuple[str, ...]
    grammar: str = ""
    queries: tuple[str, ...] = ()
    identifiers: str = ""
    lexical: str = ""
    reserved: frozenset[bytes] = frozenset()
    imports: str = ""
    family: str = ""
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    lsp_ids: tuple[str, ...] = ()
    comments: tuple[bytes, ...] = (b"//", b"/*", b"*")
    attributes: tuple[bytes, ...] = ()
    name_marks: bytes = b""
    separators: tuple[bytes, ...] = (b".",)
    calls_by_parenthesis: bool = False
    """A read or attribute with `(` behind it is a call, one with a receiver an attribute: no capture needed."""
    exported: bytes = b""
    hidden: bytes = b""
    members_inherit: bool = False
    owner_extends: bool = False
    """A detached method (`@owner`) is an extension of its type (Kotlin, C#, Swift, Scala)."""
    constructors: tuple[str, ...] = ()
    constructor_named_as_type: bool = False
    test_function: bytes = b""
    test_class: bytes = b""
    content: Content = Content.CODE


_HASH = (b"#",)
_ECMASCRIPT_EXPORT = rb"(?m)^\s*(?:export\b|module\.exports\b|exports\.)"
_PRIVATE = rb"\bprivate\b"
_PYTHON_RESERVED = frozenset(
    b"""
    False None True and as assert break class continue def del elif else except finally for from global if import
    in is lambda nonlocal not or pass raise return try while with yield
    """.split()
)


def _text(id: str, title: str, extensions: tuple[str, ...], *lsp_ids: str) -> Language:
    return Language(id, title, extensions, lsp_ids=lsp_ids, content=Content.TEXT)


def _project(id: str, title: str, *filenames: str, extensions: tuple[str, ...] = ()) -> Language:
    return Language(id, title, extensions, filenames=filenames, content=Content.PROJECT)


LANGUAGES: tuple[Language, ...] = (
    Language(
        id="python",
        title="Python",
        extensions=(".py", ".pyi", ".pyw", ".pyx"),
        grammar="tree_sitter_python:language",
        queries=("python.scm",),
        identifiers="python_identifiers.scm",
        lexical="python_lexical.scm",
        reserved=_PYTHON_RESERVED,
        imports="python",
        filenames=("SConstruct", "SConscript", "wscript"),
        shebangs=("python", "python2", "python3", "pypy", "pypy3"),
        lsp_ids=("python",),
        comments=_HASH,
        calls_by_parenthesis=True,
        hidden=rb"(?<!\w)_(?!\w*__$)\w*$",
        constructors=("__init__",),
        test_function=rb"test(?:_|$)|test[A-Z0-9]",
        test_class=rb"Test|\w+Tests?(?:Case)?$",
    ),
    Language(
        id="javascript",
        title="JavaScript",
        extensions=(".js", ".mjs", ".cjs", ".jsx"),
        grammar="tree_sitter_javascript:language",
        queries=("ecmascript.scm", "javascript.scm", "jsx.scm"),
        imports="javascript",
        family="ecmascript",
        filenames=("Jakefile",),
        shebangs=("node", "nodejs", "bun", "deno"),
        lsp_ids=("javascript", "javascriptreact"),
        attributes=(b"@",),
        exported=_ECMASCRIPT_EXPORT,
        hidden=rb"#\w+$",
        members_inherit=True,
        constructors=("constructor",),
    ),
    Language(
        id="typescript",
        title="TypeScript",
        extensions=(".ts", ".mts", ".cts"),
        grammar="tree_sitter_typescript:language_typescript",
        queries=("ecmascript.scm", "typescript.scm"),
        imports="javascript",
        family="ecmascript",
        shebangs=("ts-node", "tsx"),
        lsp_ids=("typescript",),
        exported=_ECMASCRIPT_EXPORT,
        attributes=(b"@",),
        hidden=rb"\bprivate\b|#\w+$",
        members_inherit=True,
        constructors=("constructor",),
    ),
    Language(
        id="tsx",
        title="TSX",
        extensions=(".tsx",),
        grammar="tree_sitter_typescript:language_tsx",
        queries=("ecmascript.scm", "typescript.scm", "tsx.scm", "jsx.scm"),
        imports="javascript",
        family="ecmascript",
        lsp_ids=("typescriptreact",),
        exported=_ECMASCRIPT_EXPORT,
        attributes=(b"@",),
        hidden=rb"\bprivate\b|#\w+$",
        members_inherit=True,
        constructors=("constructor",),
    ),
    Language(
        id="go",
        title="Go",
        extensions=(".go",),
        grammar="tree_sitter_go:language",
        queries=("go.scm",),
        imports="go",
        lsp_ids=("go",),
        calls_by_parenthesis=True,
        exported=rb"(?<!\w)[A-Z]\w*$",
        test_function=rb"(?:Test|Benchmark|Fuzz|Example)(?![a-z])",
    ),
    Language(
        id="rust",
        title="Rust",
        extensions=(".rs",),
        grammar="tree_sitter_rust:language",
        queries=("rust.scm",),
        imports="rust",
        lsp_ids=("rust",),
        attributes=(b"#[",),
        separators=(b".", b"::"),
        exported=rb"\bpub\b|#\[macro_export\]",
        constructors=(),
    ),
    Language(
        id="java",
        title="Java",
        extensions=(".java",),
        grammar="tree_sitter_java:language",
        queries=("java.scm",),
        imports="java",
        family="jvm",
        lsp_ids=("java",),
        separators=(b".", b"::"),
        hidden=_PRIVATE,
        constructor_named_as_type=True,
    ),
    Language(
        id="c",
        title="C",
        extensions=(".c",),
        grammar="tree_sitter_c:language",
        queries=("c_family.scm", "c.scm"),
        imports="c",
        family="c",
        lsp_ids=("c",),
        separators=(b".", b"->"),
        hidden=rb"^\s*static\b",
    ),
    Language(
        id="cpp",
        title="C++",
        # Headers do not say which language they are in, and this grammar reads nearly all C.
        extensions=(".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".h", ".ipp", ".inl", ".tpp", ".cu"),
        grammar="tree_sitter_cpp:language",
        queries=("c_family.scm", "cpp.scm"),
        imports="c",
        family="c",
        lsp_ids=("cpp", "cuda-cpp"),
        attributes=(b"[[",),
        separators=(b".", b"->", b"::"),
        hidden=rb"^static\b",
        constructor_named_as_type=True,
    ),
    Language(
        id="csharp",
        title="C#",
        extensions=(".cs", ".csx"),
        grammar="tree_sitter_c_sharp:language",
        queries=("csharp.scm",),
        imports="csharp",
        name_marks=b"@",
        lsp_ids=("csharp",),
        hidden=_PRIVATE,
        owner_extends=True,
        constructor_named_as_type=True,
    ),
    Language(
        id="ruby",
        title="Ruby",
        extensions=(".rb", ".rake", ".gemspec", ".ru", ".rbi"),
        grammar="tree_sitter_ruby:language",
        queries=("ruby.scm",),
        imports="ruby",
        filenames=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile", "Podfile", "Fastfile", "Brewfile"),
        shebangs=("ruby", "jruby", "rake"),
        name_marks=b":\"'",
        lsp_ids=("ruby",),
        comments=_HASH,
        separators=(b".", b"::"),
        constructors=("initialize",),
        test_function=rb"test_",
        test_class=rb"Test|\w+Test(?:s|Case)?$",
    ),
    Language(
        id="php",
        title="PHP",
        extensions=(".php", ".phtml", ".php5", ".php7", ".phps", ".inc"),
        grammar="tree_sitter_php:language_php",
        queries=("php.scm",),
        imports="php",
        shebangs=("php",),
        lsp_ids=("php",),
        comments=(b"//", b"/*", b"*", b"#"),
        attributes=(b"#[",),
        separators=(b"->", b"::"),
        hidden=_PRIVATE,
        constructors=("__construct",),
        test_function=rb"test[A-Z_0-9]",
        test_class=rb"\w+Test(?:Case)?$",
    ),
    Language(
        id="kotlin",
        title="Kotlin",
        extensions=(".kt", ".kts"),
        grammar="tree_sitter_kotlin:language",
        queries=("kotlin.scm",),
        imports="kotlin",
        family="jvm",
        name_marks=b"`",
        lsp_ids=("kotlin",),
        separators=(b".", b"::"),
        hidden=_PRIVATE,
        owner_extends=True,
    ),
    Language(
        id="swift",
        title="Swift",
        extensions=(".swift",),
        grammar="tree_sitter_swift:language",
        queries=("swift.scm",),
        imports="swift",
        name_marks=b"`",
        lsp_ids=("swift",),
        hidden=rb"\b(?:private|fileprivate)\b",
        owner_extends=True,
        constructors=("init",),
        test_function=rb"test[A-Z_0-9]",
        test_class=rb"\w+Tests?(?:Case)?$",
    ),
    Language(
        id="scala",
        title="Scala",
        extensions=(".scala", ".sc", ".sbt"),
        grammar="tree_sitter_scala:language",
        queries=("scala.scm",),
        imports="scala",
        family="jvm",
        name_marks=b'`"',
        lsp_ids=("scala",),
        hidden=_PRIVATE,
        owner_extends=True,
    ),
    Language(
        id="bash",
        title="Bash",
        extensions=(".sh", ".bash", ".zsh", ".ksh", ".bats"),
        grammar="tree_sitter_bash:language",
        queries=("bash.scm",),
        imports="bash",
        filenames=(".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD", "APKBUILD"),
        shebangs=("sh", "bash", "zsh", "ksh", "dash", "ash"),
        lsp_ids=("shellscript",),
        comments=_HASH,
        separators=(),
        test_function=rb"test(?:_|[A-Z])",
    ),
    Language(
        id="vue",
        title="Vue",
        extensions=(".vue",),
        family="ecmascript",
        lsp_ids=("vue",),
        content=Content.SCRIPT,
    ),
    Language(
        id="svelte",
        title="Svelte",
        extensions=(".svelte",),
        family="ecmascript",
        lsp_ids=("svelte",),
        content=Content.SCRIPT,
    ),
    Language(
        id="notebook",
        title="Jupyter notebook",
        extensions=(".ipynb",),
        family="python",
        lsp_ids=("jupyter",),
        content=Content.NOTEBOOK,
    ),
    Language(
        id="markdown",
        title="Markdown",
        extensions=(".md", ".markdown", ".mdx", ".mkd", ".rmd", ".qmd"),
        lsp_ids=("markdown", "mdx"),
        content=Content.SECTIONS,
    ),
    _text("json", "JSON", (".json", ".jsonc", ".json5", ".jsonl", ".webmanifest"), "json", "jsonc"),
    _text("yaml", "YAML", (".yaml", ".yml"), "yaml"),
    _text("toml", "TOML", (".toml",), "toml"),
    _text("html", "HTML", (".html", ".htm", ".xhtml"), "html"),
    _text("css", "CSS", (".css", ".scss", ".sass", ".less", ".pcss"), "css", "scss", "sass", "less"),
    _text("sql", "SQL", (".sql", ".ddl", ".psql"), "sql"),
    # Project files: what they say is read in project_files.py.
    _project("tsconfig", "TypeScript project", "tsconfig.json", "jsconfig.json"),
    _project("package-json", "npm package", "package.json"),
    _project("deno-json", "Deno project", "deno.json", "deno.jsonc", "import_map.json"),
    _project("go-mod", "Go module", "go.mod", "go.work"),
    _project("cargo-toml", "Cargo package", "Cargo.toml"),
    _project("composer-json", "Composer package", "composer.json"),
    _project("compile-commands", "Compilation database", "compile_commands.json"),
    _project("csproj", "C# project", "Directory.Build.props", extensions=(".csproj",)),
)

BY_ID = MappingProxyType({language.id: language for language in LANGUAGES})
_BY_EXTENSION = MappingProxyType({ext: language for language in LANGUAGES for ext in language.extensions})
_BY_FILENAME = MappingProxyType({name: language for language in LANGUAGES for name in language.filenames})
_BY_SHEBANG = MappingProxyType({name: language for language in LANGUAGES for name in language.shebangs})
_BY_LSP_ID = MappingProxyType({name: language for language in LANGUAGES for name in language.lsp_ids})

_SHEBANG = re.compile(r"#!\s*(?:\S*/)?env\s+(?:-\S+\s+|\w+=\S*\s+)*(?:\S*/)?([\w.+-]+)|#!\s*(?:\S*/)?([\w.+-]+)")


def language_for(path: str, first_line: str = "") -> Language | None:
    """The language of a file by its name, else by a `#!` in `first_line`; None for text without a grammar."""
    name = path.rsplit("/", 1)[-1]
    found = _BY_FILENAME.get(name)
    if found is not None:
        return found
    if name.startswith("tsconfig.") and name.endswith(".json"):
        return BY_ID["tsconfig"]
    dot = name.rfind(".")
    if dot > 0 or (dot == 0 and name.count(".") > 1):
        return _BY_EXTENSION.get(name[dot:].lower())
    match = _SHEBANG.match(first_line)
    if match is None:
        return None
    interpreter: str = match[1] or match[2]
    return _BY_SHEBANG.get(interpreter) or _BY_SHEBANG.get(interpreter.rstrip("0123456789."))


def code_language(path: str) -> str:
    """The id of the language whose grammar reads a file as code, as far as its name tells; "" for others."""
    language = language_for(path)
    return language.id if language is not None and language.content is Content.CODE else ""


def language_for_lsp_id(language_id: str) -> Language | None:
    """The language an editor calls `language_id`, or None."""
    return _BY_LSP_ID.get(language_id)
