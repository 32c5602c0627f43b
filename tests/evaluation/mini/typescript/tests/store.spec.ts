import { describe, expect, it } from "vitest";
import { createStore } from "../src";

describe("store", () => {
  it("does not notify when NaN stays NaN", () => {
    const store = createStore(NaN);
    let calls = 0;
    store.subscribe(() => calls++);
    store.set(NaN);
    expect(calls).toBe(0);
  });
});
