/** Rendered packs and maps as read-only virtual documents. */
import * as vscode from 'vscode';
import type { ContextStore } from '../context/store';
import { headings } from './headings';

export const SCHEME = 'repo-context';
export const PACK_URI = vscode.Uri.from({ scheme: SCHEME, path: '/Context Pack.md' });
export const MAP_URI = vscode.Uri.from({ scheme: SCHEME, path: '/Repo Map.txt' });
export const STATUS_URI = vscode.Uri.from({ scheme: SCHEME, path: '/Repo Context Status.md' });

export class ReadOnlyDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly emitter = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.emitter.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  set(uri: vscode.Uri, text: string): void {
    this.texts.set(uri.toString(), text);
    this.emitter.fire(uri);
  }

  /** Shows the document beside the present editor, which keeps the focus. */
  async show(uri: vscode.Uri, text: string): Promise<vscode.TextEditor> {
    this.set(uri, text);
    const document = await vscode.workspace.openTextDocument(uri);
    return vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
  }

  dispose(): void {
    this.emitter.dispose();
  }
}

/** Makes the headings of the pack's document links to the code. */
export class PackLinks implements vscode.DocumentLinkProvider {
  constructor(private readonly store: ContextStore) {}

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const { pack } = this.store;
    if (pack === undefined || document.uri.toString() !== PACK_URI.toString()) {
      return [];
    }
    return headings(document.getText(), pack).map(({ row, from, to, item }) => {
      const target = vscode.Uri.parse(item.uri).with({ fragment: `L${item.lines.start},1-L${item.lines.end}` });
      const link = new vscode.DocumentLink(new vscode.Range(row, from, row, to), target);
      link.tooltip = 'Open the code';
      return link;
    });
  }
}
