/** The context view: the plain nodes as the editor's tree. */
import * as vscode from 'vscode';
import type { ContextStore } from '../context/store';
import { bar, type Node, number, rootNodes, type Target } from './nodes';

export const VIEW = 'repoContext.context';

export class ContextTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[] = [];
  readonly onDidChangeTreeData = this.emitter.event;
  readonly view: vscode.TreeView<Node>;

  constructor(private readonly store: ContextStore) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true });
    this.subscriptions.push(this.emitter, this.view, store.onDidChange(() => this.refresh()));
  }

  getChildren(node?: Node): Node[] {
    if (node !== undefined) {
      return node.children;
    }
    const { pack, source } = this.store;
    return pack === undefined
      ? []
      : rootNodes(pack, {
          title: source?.title ?? '',
          stale: this.store.stale,
          moved: this.store.moved,
          hidden: this.store.hidden,
          isPinned: (path, lines) => this.store.isPinned(path, lines),
        });
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const collapsible =
      node.children.length === 0
        ? vscode.TreeItemCollapsibleState.None
        : node.expanded
          ? vscode.TreeItemCollapsibleState.Expanded
          : vscode.TreeItemCollapsibleState.Collapsed;
    const item = new vscode.TreeItem(node.label, collapsible);
    item.id = node.key;
    item.description = node.description;
    item.tooltip = new vscode.MarkdownString(node.tooltip, true);
    item.iconPath = new vscode.ThemeIcon(node.icon, node.color === undefined ? undefined : new vscode.ThemeColor(node.color));
    item.contextValue = node.contextValue;
    item.accessibilityInformation = { label: `${node.label}, ${node.description}` };
    if (node.target !== undefined) {
      item.command = { command: 'repoContext.openItem', title: 'Open', arguments: [node] };
    }
    return item;
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
  }

  private refresh(): void {
    const { pack, source } = this.store;
    // A description would not be seen: the only view of a container has no header of its own.
    this.view.message = source && `Built from ${source.title}`;
    this.view.badge =
      pack === undefined ? undefined : { value: pack.items.length, tooltip: `${pack.items.length} items, ${bar(pack.used, pack.budget)} ${number(pack.used)} tokens` };
    this.emitter.fire();
  }
}

/** The file of a target; a path of a workspace with several roots starts with the root's name. */
export function targetUri(target: Target): vscode.Uri | undefined {
  if (target.uri !== undefined) {
    return vscode.Uri.parse(target.uri);
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [first, ...rest] = target.path.split('/');
  const named = folders.length > 1 ? folders.find((folder) => folder.name === first) : undefined;
  const root = named ?? folders[0];
  return root && vscode.Uri.joinPath(root.uri, ...(named === undefined ? [target.path] : rest));
}

/** Opens the exact range of a target. */
export async function openTarget(target: Target): Promise<void> {
  const uri = targetUri(target);
  if (uri === undefined) {
    return;
  }
  const { start, end } = target.range;
  const document = await vscode.workspace.openTextDocument(uri);
  const range = document.validateRange(new vscode.Range(start.line, start.character, end.line, end.character));
  await vscode.window.showTextDocument(document, { selection: range, viewColumn: vscode.ViewColumn.One });
}
