/** Why a line is in the last pack or not, as far as the pack itself knows. */
import type { ContextPack, LineRange } from '../protocol';
import { CAUSE_TEXT, number } from '../view/nodes';

/** One sentence. `line` is 1-based. */
export function whyNot(pack: ContextPack, path: string, line: number): string {
  const covers = (lines: LineRange) => lines.start <= line && line <= lines.end;
  const place = `${path}:${line}`;
  const item = pack.items.find((one) => one.path === path && covers(one.lines));
  if (item !== undefined) {
    return `${place} is in the pack, rank ${item.rank}: ${item.why}.`;
  }
  const omission = pack.omitted.find((one) => one.path === path && covers(one.lines));
  if (omission === undefined) {
    const other = pack.items.some((one) => one.path === path) ? ' Other parts of this file are in the pack.' : '';
    return `${place} was not found by any source.${other}`;
  }
  const blocked = omission.blockedBy ? ` (${omission.blockedBy})` : '';
  const needs = omission.needs ? `; ${number(omission.needs)} tokens more would admit it` : '';
  return `${place} was found (${omission.source}) and left out: ${CAUSE_TEXT[omission.cause]}${blocked}${needs}.`;
}
