#!/usr/bin/env bash
# Installs what the editors' tests need: Node 24, code-server and the MCP Inspector from npm into .cache/editors;
# Chromium, a font and Emacs from apt; the extension's own tools. Run again at any time: what is there is kept.
set -euo pipefail

CODE_SERVER=4.139.1
INSPECTOR=2.12.0
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="$(cd "$here/../.." && pwd)"
folder="${REPO_CONTEXT_EDITORS:-$root/.cache/editors}"
quiet=(--no-audit --no-fund --loglevel=error)

if ! command -v chromium >/dev/null || ! command -v emacs >/dev/null; then
  sudo=""
  [ "$(id -u)" -eq 0 ] || sudo="sudo"
  $sudo apt-get update -q
  $sudo apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core emacs-nox elpa-eglot elpa-lsp-mode
fi

mkdir -p "$folder"
cd "$folder"
[ -f package.json ] || npm init -y >/dev/null
[ -x node_modules/.bin/node ] || npm install -D "${quiet[@]}" node@24
export PATH="$folder/node_modules/.bin:$PATH"
if [ ! -x node_modules/.bin/mcp-inspector ]; then
  npm install -D --ignore-scripts "${quiet[@]}" "@modelcontextprotocol/inspector@$INSPECTOR"
fi

# Without its install scripts code-server needs no compiler; its two inner packages are installed by hand.
done_mark="$folder/code-server-$CODE_SERVER.done"
if [ ! -f "$done_mark" ]; then
  npm install --ignore-scripts "${quiet[@]}" "code-server@$CODE_SERVER"
  cd node_modules/code-server/lib/vscode
  npm install --omit=dev --ignore-scripts "${quiet[@]}"
  cd extensions
  npm install --omit=dev --ignore-scripts "${quiet[@]}"
  touch "$done_mark"
fi

cd "$root/client-vscode"
if [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm ci "${quiet[@]}"
fi
echo "editors are ready in $folder"
