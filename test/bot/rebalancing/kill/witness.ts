import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Carrier } from '../../../../src/swaps/execution/carrier.ts';

/** What the HTTP library tells of a request, of which no byte has left. */
interface Created {
  readonly request: { readonly method: string; readonly path: string };
}

/** Ids, hashes and addresses, by which requests of one kind differ. */
const NAMES = /\/(?=[^/]*\d)[^/]{8,}/g;

/** Tells of each request that carriers make before it leaves. */
export class Observer {
  readonly #calls = new AsyncLocalStorage<string>();
  readonly #say: (line: string) => void;

  /** `passes` is told of `before perform commit p/1: POST /api/3/wallet/withdraw`. */
  constructor(passes: (moment: string) => void, say: (line: string) => void) {
    this.#say = say;
    subscribe('undici:request:create', (message) => {
      const { method, path } = (message as Created).request;
      const kind = path.replace(/\?.*$/, '').replaceAll(NAMES, '/*');
      const call = this.#calls.getStore();
      if (call !== undefined) passes(`before ${call}: ${method} ${kind}`);
    });
  }

  /** The carrier; it says `p/1 waits` where a look at a move brought nothing new. */
  of(carrier: Carrier): Carrier {
    const calls = this.#calls;
    return {
      name: carrier.name,
      kind: carrier.kind,
      pairs: () => carrier.pairs(),
      next: (move, now) => carrier.next(move, now),
      offer: (from, to, send) => calls.run('offer', () => carrier.offer(from, to, send)),
      perform: (move, step) =>
        calls.run(`perform ${step.name} ${move.id}`, () => carrier.perform(move, step)),
      recall: (move, step) =>
        calls.run(`recall ${step.name} ${move.id}`, () => carrier.recall(move, step)),
      observe: (move) =>
        calls.run(`observe ${move.state} ${move.id}`, async () => {
          const seen = await carrier.observe(move);
          if (seen === undefined) this.#say(`${move.id} waits`);
          return seen;
        }),
    };
  }
}
