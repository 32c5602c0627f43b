import { total, type Line } from "./cart";

/** What a customer pays, as text. */
export function receipt(lines: Line[]): string {
  const due = total(lines);
  return `${(due.cents / 100).toFixed(2)} ${due.currency}`;
}
