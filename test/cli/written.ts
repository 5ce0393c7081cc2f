/** What a command has written so far, for those who wait for a text in it. */
export class Written {
  #out = '';
  #err = '';
  readonly #waiting = new Set<() => void>();

  readonly out = (): string => this.#out;
  readonly err = (): string => this.#err;

  addOut(text: string): void {
    this.#out += text;
    this.#look();
  }

  addErr(text: string): void {
    this.#err += text;
    this.#look();
  }

  /** Kept once `isThere` holds; broken when the command has ended without. */
  async until(isThere: () => boolean, ended: Promise<unknown>, what: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (isThere()) resolve();
    };
    this.#waiting.add(look);
    look();
    try {
      await Promise.race([promise, ended]);
    } finally {
      this.#waiting.delete(look);
    }
    if (!isThere()) throw new Error(`It ended without ${what}: ${this.#err}\n${this.#out}`);
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}
