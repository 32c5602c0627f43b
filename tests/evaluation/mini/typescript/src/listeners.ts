import { sameValue } from "./equality";

export type Listener<T> = (next: T, before: T) => void;

export function notify<T>(listeners: Set<Listener<T>>, next: T, before: T): void {
  if (sameValue(next, before)) return;
  for (const listener of listeners) listener(next, before);
}
