export function sameValue(one: unknown, other: unknown): boolean {
  return one === other;
}

export function sameShape(one: object, other: object): boolean {
  return Object.keys(one).join() === Object.keys(other).join();
}
