import { add, money, type Money } from "./money";
import { priceOf } from "./prices";

export interface Line {
  article: string;
  count: number;
}

/** The sum of a cart's lines. */
export function total(lines: Line[]): Money {
  let sum = money(0, "EUR");
  for (const line of lines) {
    const price = priceOf(line.article, line.count);
    for (let i = 0; i < line.count; i++) {
      sum = add(sum, price);
    }
  }
  return sum;
}
