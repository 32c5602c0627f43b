/** The present pack and what the user did to it: the one place in the extension with state about packs. */
import * as vscode from 'vscode';
import type { BuildSource } from '../build/sources';
import type { BuildParams, ContextPack, Mention, PackItem, Reason } from '../protocol';

/** What the user may change before a rebuild. */
export interface Choices {
  pins: Mention[];
  excludes: string[];
  /** Undefined: the setting. */
  budget: number | undefined;
  policy: string | undefined;
}

export class ContextStore implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<void>();
  readonly onDidChange = this.emitter.event;
  private subscription: vscode.Disposable;
  pack: ContextPack | undefined;
  source: BuildSource | undefined;
  /** Ids of items whose text has changed since the build. */
  readonly stale = new Set<string>();
  /** Reasons that the view hides. */
  readonly hidden = new Set<Reason>();
  choices: Choices = { pins: [], excludes: [], budget: undefined, policy: undefined };

  constructor() {
    this.subscription = vscode.workspace.onDidChangeTextDocument((event) => this.documentChanged(event.document));
  }

  publish(pack: ContextPack, source: BuildSource): void {
    this.pack = pack;
    this.source = source;
    this.stale.clear();
    for (const document of vscode.workspace.textDocuments) {
      this.compare(document);
    }
    void vscode.commands.executeCommand('setContext', 'repoContext.hasPack', true);
    this.emitter.fire();
  }

  /** Changes what the next build asks for. */
  choose(change: Partial<Choices>): void {
    this.choices = { ...this.choices, ...change };
    this.emitter.fire();
  }

  setHidden(reasons: Iterable<Reason>): void {
    this.hidden.clear();
    for (const reason of reasons) {
      this.hidden.add(reason);
    }
    this.emitter.fire();
  }

  /** `params` with pins, exclusions, budget and policy added. */
  withChoices(params: BuildParams): BuildParams {
    const { pins, excludes, budget, policy } = this.choices;
    return {
      ...params,
      ...(pins.length > 0 ? { mentions: [...(params.mentions ?? []), ...pins] } : {}),
      ...(excludes.length > 0 ? { exclude: [...(params.exclude ?? []), ...excludes] } : {}),
      ...(budget === undefined ? {} : { budget: { maxTokens: budget } }),
      ...(policy === undefined || policy === '' ? {} : { policy }),
    };
  }

  isPinned(path: string, lines: { start: number; end: number }): boolean {
    return this.choices.pins.some(
      (pin) => pin.path === path && pin.lines?.start === lines.start && pin.lines.end === lines.end,
    );
  }

  dispose(): void {
    this.subscription.dispose();
    this.emitter.dispose();
  }

  private documentChanged(document: vscode.TextDocument): void {
    if (this.compare(document)) {
      this.emitter.fire();
    }
  }

  private compare(document: vscode.TextDocument): boolean {
    const uri = document.uri.toString();
    let changed = false;
    for (const item of this.pack?.items ?? []) {
      if (sameUri(item.uri, uri)) {
        const stale = !sameText(item, document);
        changed ||= stale !== this.stale.has(item.id);
        if (stale) {
          this.stale.add(item.id);
        } else {
          this.stale.delete(item.id);
        }
      }
    }
    return changed;
  }
}

function sameUri(a: string, b: string): boolean {
  return a === b || vscode.Uri.parse(a).toString() === b;
}

/** Compares line by line, without line ends. Masked text is compared by length: masks keep it. */
function sameText(item: PackItem, document: vscode.TextDocument): boolean {
  const lines = item.content.replace(/\r?\n$/, '').split(/\r\n|\r|\n/);
  return lines.every((text, offset) => {
    const number = item.lines.start - 1 + offset;
    if (number >= document.lineCount) {
      return false;
    }
    const now = document.lineAt(number).text;
    return (item.masked ?? 0) > 0 ? now.length === text.length : now === text;
  });
}
