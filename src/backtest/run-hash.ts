import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';

/**
 * The fingerprint of a run: SHA-256 over one canonical JSON line for each input and for each thing
 * that happened, in order. Each line says what it is, so that no two runs can agree by moving a
 * value from one place to another.
 */
export class RunHash {
  readonly #sha = createHash('sha256');

  add(what: string, value: unknown): void {
    this.#sha.update(`${what} ${canonicalJson(value)}\n`);
  }

  /** In hexadecimal; called once. */
  digest(): string {
    return this.#sha.digest('hex');
  }
}
