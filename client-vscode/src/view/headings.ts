/** Where each item's heading stands in the rendered pack. Pure. */
import type { ContextPack, PackItem } from '../protocol';

export interface Heading {
  /** 0-based line of the rendered text. */
  row: number;
  /** Columns of the place within the heading. */
  from: number;
  to: number;
  item: PackItem;
}

/**
 * Items come in layout order and each heading is looked for after the item before it, so that a line inside code
 * that looks like a heading is never taken for one.
 */
export function headings(rendered: string, pack: ContextPack): Heading[] {
  const lines = rendered.split('\n');
  const items = new Map(pack.items.map((item) => [item.id, item]));
  const found: Heading[] = [];
  let from = 0;
  for (const id of pack.layout) {
    const item = items.get(id);
    if (item === undefined) {
      continue;
    }
    const place = `${item.path}:${item.lines.start}`;
    const row = lines.findIndex((line, index) => index >= from && line.startsWith('#') && isPlace(line, place));
    if (row >= 0) {
      const column = lines[row]?.indexOf(place) ?? 0;
      const length = /^[^\s`]*/.exec((lines[row] ?? '').slice(column))?.[0].length ?? place.length;
      found.push({ row, from: column, to: column + length, item });
      from = row + 1 + item.content.split('\n').length - 1;
    }
  }
  return found;
}

function isPlace(line: string, place: string): boolean {
  const column = line.indexOf(place);
  return column >= 0 && !/\d/.test(line.charAt(column + place.length));
}
