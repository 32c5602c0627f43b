/** One change of a server's life at a time: what is asked for meanwhile waits, and equal wishes in a row are one. */

interface Wish {
  name: string;
  turn: Promise<void>;
}

export class Turns {
  private last: Promise<void> = Promise.resolve();
  /** The last wish, while it has not begun. */
  private waiting: Wish | undefined;

  /** Runs `change` after all that was asked for before; if the last wish has this name and still waits, it serves both. */
  take(name: string, change: () => Promise<void>): Promise<void> {
    if (this.waiting?.name === name) {
      return this.waiting.turn;
    }
    const wish: Wish = { name, turn: this.last.then(() => {
      if (this.waiting === wish) {
        this.waiting = undefined;
      }
      return change();
    }) };
    this.waiting = wish;
    this.last = wish.turn.catch(() => undefined);
    return wish.turn;
  }
}
