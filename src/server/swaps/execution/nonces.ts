/** Remembered nonces of one key: as many requests as it can make in an hour. */
const KEPT_MAX = 200_000;

/** The used nonces of each key, as long as a request that repeats one could pass. */
export class UsedNonces {
  /** By key, each nonce with when it is forgotten, in Unix milliseconds; oldest first. */
  readonly #used = new Map<string, Map<string, number>>();

  /**
   * Uses a nonce until `untilMs`. `reused` if it was used before, `full` if the key has used so many that
   * another cannot be remembered.
   */
  use(apiKey: string, nonce: string, nowMs: number, untilMs: number): 'used' | 'reused' | 'full' {
    const used = this.#used.get(apiKey) ?? new Map<string, number>();
    this.#used.set(apiKey, used);
    const known = used.get(nonce);
    if (known !== undefined && nowMs <= known) return 'reused';
    forget(used, nowMs);
    if (used.size >= KEPT_MAX) return 'full';
    used.set(nonce, untilMs);
    return 'used';
  }
}

/** Removes expired nonces, up to the first that is not. */
function forget(used: Map<string, number>, nowMs: number): void {
  for (const [nonce, untilMs] of used) {
    if (nowMs <= untilMs) return;
    used.delete(nonce);
  }
}
