/** Amounts in whole cents. */
export interface Money {
  cents: number;
  currency: Currency;
}

export type Currency = "EUR" | "USD";

export function money(cents: number, currency: Currency): Money {
  return { cents, currency };
}

/** Adds two amounts of one currency. */
export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency) {
    throw new Error(`cannot add ${a.currency} and ${b.currency}`);
  }
  return money(a.cents + b.cents, a.currency);
}
