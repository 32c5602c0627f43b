import { money, type Currency, type Money } from "./money";

const PRICES: Record<string, number> = { tea: 450, coffee: 620 };

/** The price of one unit of an article. */
export function priceOf(article: string, currency: Currency): Money {
  const cents = PRICES[article];
  if (cents === undefined) {
    throw new Error(`no price for ${article}`);
  }
  return money(cents, currency);
}
