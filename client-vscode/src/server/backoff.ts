/** When to start again after a crash: 1, 2, 4, 8 s apart; then, with too many crashes within a window, not at all. */

export interface BackoffRules {
  firstDelay: number;
  maxCrashes: number;
  /** Crashes older than this many milliseconds are forgotten. */
  window: number;
}

export const DEFAULT_RULES: BackoffRules = { firstDelay: 1000, maxCrashes: 5, window: 180_000 };

export class Backoff {
  private crashes: number[] = [];

  constructor(private readonly rules: BackoffRules = DEFAULT_RULES) {}

  /** Milliseconds to wait before the next start, or undefined to give up. `now` in milliseconds. */
  crashed(now: number): number | undefined {
    this.crashes = [...this.crashes.filter((at) => now - at < this.rules.window), now];
    if (this.crashes.length >= this.rules.maxCrashes) {
      return undefined;
    }
    return this.rules.firstDelay * 2 ** (this.crashes.length - 1);
  }

  reset(): void {
    this.crashes = [];
  }
}
