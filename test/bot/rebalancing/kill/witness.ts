import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { TransferRoute } from '../../../../src/swaps/execution/transfer-route.ts';

/** What the HTTP library tells of a request, of which no byte has left. */
interface Created {
  readonly request: { readonly method: string; readonly path: string };
}

/** Ids, hashes and addresses, by which requests of one kind differ. */
const NAMES = /\/(?=[^/]*\d)[^/]{8,}/g;

/** Tells of each request that routes make before it leaves. */
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

  /** The route; it says `p/1 waits` where a look at a transfer brought nothing new. */
  of(route: TransferRoute): TransferRoute {
    const calls = this.#calls;
    return {
      name: route.name,
      kind: route.kind,
      pairs: () => route.pairs(),
      next: (transfer, now) => route.next(transfer, now),
      offer: (from, to, send) => calls.run('offer', () => route.offer(from, to, send)),
      perform: (transfer, step) =>
        calls.run(`perform ${step.name} ${transfer.id}`, () => route.perform(transfer, step)),
      recall: (transfer, step) =>
        calls.run(`recall ${step.name} ${transfer.id}`, () => route.recall(transfer, step)),
      observe: (transfer) =>
        calls.run(`observe ${transfer.state} ${transfer.id}`, async () => {
          const seen = await route.observe(transfer);
          if (seen === undefined) this.#say(`${transfer.id} waits`);
          return seen;
        }),
    };
  }
}
