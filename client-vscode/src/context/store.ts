/** The present pack and what the user did to it: the one place in the extension with state about packs. */
import * as vscode from 'vscode';
import type { BuildSource } from '../build/sources';
import type { BuildParams, ContextPack, LineRange, Mention, Reason, VerifyResult } from '../protocol';

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
  private readonly publishEmitter = new vscode.EventEmitter<void>();
  readonly onDidChange = this.emitter.event;
  readonly onDidPublish = this.publishEmitter.event;
  pack: ContextPack | undefined;
  source: BuildSource | undefined;
  /** Ids of items whose text has changed or gone since the build. */
  readonly stale = new Set<string>();
  /** Where items stand now that have the same text in another place. */
  readonly moved = new Map<string, LineRange>();
  /** Reasons that the view hides. */
  readonly hidden = new Set<Reason>();
  choices: Choices = { pins: [], excludes: [], budget: undefined, policy: undefined };

  publish(pack: ContextPack, source: BuildSource): void {
    this.pack = pack;
    this.source = source;
    this.stale.clear();
    this.moved.clear();
    void vscode.commands.executeCommand('setContext', 'repoContext.hasPack', true);
    this.emitter.fire();
    this.publishEmitter.fire();
  }

  /** Takes the server's word on which items still hold. */
  setVerdicts(verdicts: VerifyResult['items']): void {
    const before = this.marks();
    this.stale.clear();
    this.moved.clear();
    for (const { id, state, now } of verdicts) {
      if (state === 'moved' && now !== null) {
        this.moved.set(id, now);
      } else if (state !== 'same') {
        this.stale.add(id);
      }
    }
    if (this.marks() !== before) {
      this.emitter.fire();
    }
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
    this.emitter.dispose();
    this.publishEmitter.dispose();
  }

  private marks(): string {
    return JSON.stringify([[...this.stale], [...this.moved]]);
  }
}
