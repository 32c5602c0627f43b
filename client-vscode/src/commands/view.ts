/** Commands of the context view: pickers, pins, exclusions and what a row's menu offers. */
import * as vscode from 'vscode';
import { escapeGlob } from '../glob';
import type { ContextStore } from '../context/store';
import { type Mention, REASONS, type Reason } from '../protocol';
import { Expand } from '../requests';
import type { Server } from '../server/server';
import { openTarget } from '../view/contextTree';
import { type Node, number } from '../view/nodes';
import type { Commands } from './build';

const BUDGETS = [2_000, 4_000, 8_000, 16_000, 32_000, 64_000];
const POLICIES = ['tiered', 'fused'];

export function viewCommands(server: Server, store: ContextStore, settingBudget: () => number): Commands {
  const rebuild = async () => {
    if (store.source !== undefined) {
      await vscode.commands.executeCommand('repoContext.refresh');
    }
  };
  return {
    'repoContext.openItem': (node: Node) => (node.target === undefined ? undefined : openTarget(node.target)),
    'repoContext.pinItem': async (node: Node) => {
      const pin = mention(node);
      if (pin !== undefined) {
        store.choose({ pins: [...store.choices.pins, pin] });
        await rebuild();
      }
    },
    'repoContext.unpinItem': async (node: Node) => {
      const pin = mention(node);
      const isOther = (one: Mention) =>
        one.path !== pin?.path || one.lines?.start !== pin?.lines?.start || one.lines?.end !== pin?.lines?.end;
      store.choose({ pins: store.choices.pins.filter(isOther) });
      await rebuild();
    },
    'repoContext.excludeItem': async (node: Node) => {
      if (node.item !== undefined) {
        store.choose({ excludes: [...new Set([...store.choices.excludes, escapeGlob(node.item.path)])] });
        await rebuild();
      }
    },
    'repoContext.expandItem': (node: Node) => expand(server, store, node, rebuild),
    'repoContext.copyItem': (node: Node) => vscode.env.clipboard.writeText(node.item?.content ?? ''),
    'repoContext.clearPinsAndExclusions': async () => {
      store.choose({ pins: [], excludes: [] });
      await rebuild();
    },
    'repoContext.filterReasons': () => filterReasons(store),
    'repoContext.pickBudget': async () => {
      const budget = await pickBudget(store.choices.budget ?? settingBudget());
      if (budget !== undefined) {
        store.choose({ budget });
        await rebuild();
      }
    },
    'repoContext.pickPolicy': async () => {
      const now = store.pack?.policy.replace(/-\d+$/, '');
      const known = POLICIES.map((label) => ({ label, description: label === now ? 'now' : '' }));
      const policy = await vscode.window.showQuickPick(known, { title: 'Ranking policy' });
      if (policy !== undefined) {
        store.choose({ policy: policy.label });
        await rebuild();
      }
    },
  };
}

function mention(node: Node): Mention | undefined {
  const place = node.item ?? node.omission;
  return place && { path: place.path, lines: place.lines };
}

async function expand(server: Server, store: ContextStore, node: Node, rebuild: () => Promise<void>): Promise<void> {
  if (node.item === undefined) {
    return;
  }
  const { path, lines } = node.item;
  const unit = await server.request(Expand, { path, lines });
  if (unit.lines.start === lines.start && unit.lines.end === lines.end) {
    void vscode.window.showInformationMessage('This item is already the whole unit.');
    return;
  }
  store.choose({ pins: [...store.choices.pins, { path: unit.path, lines: unit.lines }] });
  await rebuild();
}

async function filterReasons(store: ContextStore): Promise<void> {
  const present = new Set<Reason>([...(store.pack?.items ?? []), ...(store.pack?.omitted ?? [])].map((one) => one.reason));
  const choices = REASONS.filter((reason) => present.has(reason)).map((reason) => ({
    label: reason,
    description: `${(store.pack?.items ?? []).filter((item) => item.reason === reason).length} items`,
    picked: !store.hidden.has(reason),
  }));
  const shown = await vscode.window.showQuickPick(choices, { canPickMany: true, title: 'Reasons to show' });
  if (shown !== undefined) {
    const kept = new Set<string>(shown.map((one) => one.label));
    store.setHidden(REASONS.filter((reason) => !kept.has(reason)));
  }
}

async function pickBudget(now: number): Promise<number | undefined> {
  const other = 'Other …';
  const choices = BUDGETS.map((budget) => ({ label: number(budget), description: budget === now ? 'now' : '', budget }));
  const chosen = await vscode.window.showQuickPick([...choices, { label: other, description: '', budget: -1 }], { title: 'Budget in tokens' });
  if (chosen?.label !== other) {
    return chosen?.budget;
  }
  const text = await vscode.window.showInputBox({
    prompt: 'Budget in tokens',
    value: String(now),
    validateInput: (value) => (/^\d+$/.test(value.trim()) ? undefined : 'A whole number of tokens'),
  });
  return text === undefined ? undefined : Number(text);
}
