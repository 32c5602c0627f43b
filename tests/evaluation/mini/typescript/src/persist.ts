import { createStore } from "./store";

export function persist<T>(key: string, initial: T) {
  const store = createStore(initial);
  store.subscribe((next) => localStorage.setItem(key, JSON.stringify(next)));
  return store;
}
