/** The context view's tree as plain values: pure, so that it is tested without an editor. */
import type { Cause, ContextPack, Failure, LineRange, Omission, PackItem, Range, Reason } from '../protocol';

export interface Target {
  /** Absent when only the path is known. */
  uri?: string;
  path: string;
  range: Range;
}

export interface Node {
  kind: 'budget' | 'notice' | 'group' | 'failure' | 'item' | 'omission' | 'location';
  /** Stable over rebuilds, so that the editor keeps what is expanded. */
  key: string;
  label: string;
  description: string;
  /** Markdown. */
  tooltip: string;
  icon: string;
  /** A theme colour for the icon. */
  color?: string;
  contextValue: string;
  children: Node[];
  expanded: boolean;
  target?: Target;
  item?: PackItem;
  omission?: Omission;
}

export interface ViewState {
  title: string;
  stale: ReadonlySet<string>;
  /** Where items stand now whose text has moved. */
  moved: ReadonlyMap<string, LineRange>;
  hidden: ReadonlySet<Reason>;
  isPinned: (path: string, lines: LineRange) => boolean;
}

/** More failures than this are folded at first: they would push the items out of sight. */
const MANY_FAILURES = 8;

const REASON_ICON: Record<Reason, [icon: string, color: string | undefined]> = {
  failure: ['error', 'list.errorForeground'],
  reference: ['references', 'charts.blue'],
  search: ['search', 'charts.purple'],
  mention: ['mention', 'charts.green'],
  rule: ['law', undefined],
  open: ['go-to-file', undefined],
  map: ['map', undefined],
};

/** What each cause of an omission means. */
export const CAUSE_TEXT: Record<Cause, string> = {
  policy: 'kept back by the privacy rules',
  missing: 'no longer there',
  unreadable: 'cannot be read',
  stale: 'changed while building',
  duplicate: 'same text and place as another',
  overlap: 'overlaps a better one',
  'max-items': 'too many items',
  'file-quota': 'enough from this file',
  'source-quota': 'enough from this source',
  budget: 'over the budget',
  group: 'its group did not fit',
};

export const number = (value: number): string => value.toLocaleString('en-US');

/** Text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, '\\$&').replace(/\s*\n\s*/g, ' ');
}

/** Text whose `quoted` parts become code; the rest is shown as it is. */
export function inlineCode(text: string): string {
  return text.replace(/`([^`\n]+)`|[^`]+|`/g, (all, code: string | undefined) => (code === undefined ? escapeMarkdown(all) : `\`${code}\``));
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const span = (lines: LineRange): string => (lines.start === lines.end ? `${lines.start}` : `${lines.start}-${lines.end}`);

/** `used` of `budget` as ten blocks; what is used at all is seen. */
export function bar(used: number, budget: number): string {
  const filled = budget <= 0 || used <= 0 ? 0 : Math.min(10, Math.max(1, Math.round((used / budget) * 10)));
  return '▰'.repeat(filled) + '▱'.repeat(10 - filled);
}

export function rootNodes(pack: ContextPack, state: ViewState): Node[] {
  const items = pack.items.filter((item) => !state.hidden.has(item.reason));
  const omitted = pack.omitted.filter((omission) => !state.hidden.has(omission.reason));
  const itemNodes = new Map(items.map((item) => [item.id, itemNode(item, state)]));
  const roots = [budgetNode(pack, state), ...notices(pack, state)];
  if (pack.failures.length > 0) {
    roots.push(group('failures', 'Failures', 'bug', pack.failures.length, pack.failures.map((one) => failureNode(one, itemNodes)), pack.failures.length <= MANY_FAILURES));
  }
  roots.push(group('items', 'Items', 'layers', count(items.length, pack.items.length), [...itemNodes.values()], true));
  if (pack.omitted.length > 0) {
    roots.push(group('omitted', 'Omitted', 'circle-slash', count(omitted.length, pack.omitted.length), omitted.map((one) => omissionNode(one, state)), false));
  }
  return roots;
}

const count = (shown: number, all: number): string => (shown === all ? `${all}` : `${shown} of ${all}`);

function plain(kind: Node['kind'], key: string, label: string): Node {
  return { kind, key, label, description: '', tooltip: '', icon: '', contextValue: kind, children: [], expanded: false };
}

function group(key: string, label: string, icon: string, total: number | string, children: Node[], expanded: boolean): Node {
  return { ...plain('group', key, label), description: String(total), icon, children, expanded };
}

function budgetNode(pack: ContextPack, state: ViewState): Node {
  const percent = pack.budget > 0 ? Math.round((pack.used / pack.budget) * 100) : 0;
  const sources = Object.entries(pack.sources)
    .filter(([, of]) => of.found > 0)
    .map(([name, of]) => `| ${escapeMarkdown(name)} | ${of.found} | ${of.admitted} | ${of.omitted} | ${of.cut} |`)
    .join('\n');
  return {
    ...plain('budget', 'budget', `${number(pack.used)} / ${number(pack.budget)}`),
    // The unit comes last: a narrow view cuts it first.
    description: `${bar(pack.used, pack.budget)} tokens`,
    tooltip:
      `Built from ${escapeMarkdown(state.title)}\n\n${number(pack.used)} of ${number(pack.budget)} tokens, ${percent} % ` +
      `(${number(pack.overhead)} for headings and the failure list), policy \`${pack.policy}\`, counter \`${pack.counter}\`` +
      (sources === '' ? '' : `\n\n| source | found | in | out | cut |\n|---|--:|--:|--:|--:|\n${sources}`),
    icon: 'dashboard',
    ...(pack.used > pack.budget ? { color: 'list.warningForeground' } : {}),
  };
}

function notices(pack: ContextPack, state: ViewState): Node[] {
  const found: Node[] = [];
  const add = (key: string, label: string, tooltip: string) =>
    found.push({ ...plain('notice', key, label), tooltip, icon: 'warning', color: 'list.warningForeground' });
  if (pack.missingCritical) {
    add('missing-critical', 'The failing code is not in this pack', 'Nothing that contains a failing line was admitted. Raise the budget, or look under Omitted.');
  }
  if (pack.missingRequired.length > 0) {
    add('missing-required', `${several(pack.missingRequired.length, 'pinned item does', 'pinned items do')} not fit`, 'Raise the budget or unpin some.');
  }
  if (pack.items.length === 0) {
    add('empty', 'Nothing was found', 'No code of this workspace goes with what the pack was built from. Name a symbol or a file in a task, or look under Omitted.');
  }
  const leftOut = Object.values(pack.failuresLeftOut ?? {}).reduce((sum, count) => sum + count, 0);
  if (leftOut > 0) {
    add('failures-left-out', `${several(leftOut, 'more failure is', 'more failures are')} not listed`, Object.entries(pack.failuresLeftOut ?? {}).map(([cause, count]) => `${count}: ${escapeMarkdown(cause)}`).join('\n\n'));
  }
  const older = pack.freshness.staleDocuments.length;
  if (older > 0) {
    add('older', `Problems of ${several(older, 'file', 'files')} are older than the text`, 'The language server had not caught up with the edits. Refresh in a moment.');
  }
  if (state.stale.size > 0) {
    add('stale', `${several(state.stale.size, 'item has', 'items have')} changed`, 'The code is no longer as it was when the pack was built. Refresh to build again.');
  }
  if (pack.freshness.pendingFiles > 0) {
    add('pending', `${several(pack.freshness.pendingFiles, 'file was', 'files were')} not indexed yet`, 'The failing files are in. Refresh when indexing is done.');
  }
  for (const [index, what] of (pack.freshness.degraded ?? []).entries()) {
    add(`degraded/${index}`, `Works in part: ${what}`, 'Show Status and the log say more.');
  }
  return found;
}

const several = (count: number, one: string, more: string): string => `${number(count)} ${count === 1 ? one : more}`;

function failureNode(failure: Failure, items: ReadonlyMap<string, Node>): Node {
  const primary = failure.locations.find((one) => one.role === 'primary') ?? failure.locations[0];
  const children = failure.items.flatMap((id) => {
    const node = items.get(id);
    return node === undefined ? [] : [{ ...node, key: `${failure.id}/${node.key}` }];
  });
  return {
    ...plain('failure', `failure/${failure.id}`, failure.message.split(/\r?\n/, 1)[0] ?? failure.kind),
    description: primary === undefined ? failure.tool : `${basename(primary.path)}:${primary.line}`,
    tooltip:
      `**${escapeMarkdown(failure.kind)}** ${escapeMarkdown([failure.tool, failure.test ?? ''].filter(Boolean).join(' · '))}\n\n` +
      escapeMarkdown(failure.message),
    icon: failure.severity === 'warning' ? 'warning' : 'error',
    color: failure.severity === 'warning' ? 'list.warningForeground' : 'list.errorForeground',
    children,
    ...(primary === undefined ? {} : { target: { path: primary.path, range: wholeLines({ start: primary.line, end: primary.endLine ?? primary.line }) } }),
  };
}

function itemNode(item: PackItem, state: ViewState): Node {
  const pinned = state.isPinned(item.path, item.lines);
  const stale = state.stale.has(item.id);
  const [icon, color] = REASON_ICON[item.reason];
  const now = state.moved.get(item.id);
  const place = `${basename(item.path)}:${span(now ?? item.lines)}`;
  return {
    ...plain('item', `item/${item.id}`, item.symbol ?? place),
    // The cost comes first: it stays in sight in a narrow view.
    description: [number(item.cost), stale ? 'changed' : '', pinned ? 'pinned' : '', item.symbol ? place : ''].filter(Boolean).join(' · '),
    tooltip: itemTooltip(item, stale, now),
    icon: stale ? 'warning' : pinned ? 'pinned' : icon,
    ...(stale ? { color: 'list.warningForeground' } : color === undefined ? {} : { color }),
    contextValue: pinned ? 'item pinned' : 'item',
    target: { uri: item.uri, path: item.path, range: now === undefined ? item.range : wholeLines(now) },
    item,
  };
}

function itemTooltip(item: PackItem, stale: boolean, now: LineRange | undefined): string {
  const parts = Object.entries(item.parts ?? {})
    .map(([name, value]) => `| ${escapeMarkdown(name)} | ${value.toFixed(3)} |`)
    .join('\n');
  const facts = [
    `**${escapeMarkdown(`${item.path}:${span(item.lines)}`)}**`,
    inlineCode(item.why),
    `${number(item.cost)} tokens · rank ${item.rank} · ${item.reason} (\`${item.source}\`) · score ${item.score.toFixed(3)}`,
    item.trail && item.trail.length > 0 ? `Path: ${item.trail.map(escapeMarkdown).join(' → ')}` : '',
    item.origin === 'buffer' ? 'From the unsaved or open document.' : '',
    (item.masked ?? 0) > 0 ? `${item.masked ?? 0} secret-looking strings are masked.` : '',
    stale ? '$(warning) Changed since the build.' : '',
    now === undefined ? '' : `Since the build it has moved to line${now.start === now.end ? '' : 's'} ${span(now)}.`,
    parts === '' ? '' : `| score part | |\n|---|--:|\n${parts}`,
  ];
  return facts.filter(Boolean).join('\n\n');
}

function omissionNode(omission: Omission, state: ViewState): Node {
  const place = `${basename(omission.path)}:${span(omission.lines)}`;
  const needs = omission.needs ? `, ${number(omission.needs)} tokens more would admit it` : '';
  const blocked = omission.blockedBy ? `: ${omission.blockedBy}` : '';
  return {
    ...plain('omission', `omitted/${omission.id}`, place),
    description: [...(omission.cost === null ? [] : [number(omission.cost)]), omission.cause].join(' · '),
    tooltip:
      `**${escapeMarkdown(`${omission.path}:${span(omission.lines)}`)}**\n\n` +
      escapeMarkdown(`${CAUSE_TEXT[omission.cause]}${blocked}${needs}`) +
      `\n\n${omission.reason} (\`${omission.source}\`)${omission.rank === null ? '' : ` · rank ${omission.rank}`} · score ${omission.score.toFixed(3)}`,
    icon: REASON_ICON[omission.reason][0],
    color: 'disabledForeground',
    contextValue: omission.cause === 'policy' ? 'withheld' : state.isPinned(omission.path, omission.lines) ? 'omission pinned' : 'omission',
    ...(omission.cause === 'policy' ? {} : { target: { path: omission.path, range: wholeLines(omission.lines) } }),
    omission,
  };
}

/** Closed 1-based lines as an LSP range that ends at the start of the line after. */
export function wholeLines(lines: LineRange): Range {
  return { start: { line: lines.start - 1, character: 0 }, end: { line: lines.end, character: 0 } };
}
