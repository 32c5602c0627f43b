/** `{"a.b": 1}` as `{a: {b: 1}}`. */
export function nest(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const steps = name.split('.');
    const last = steps.pop();
    if (last === undefined) {
      continue;
    }
    let table = root;
    for (const step of steps) {
      const next = table[step] ?? {};
      table[step] = next;
      table = next as Record<string, unknown>;
    }
    table[last] = value;
  }
  return root;
}
