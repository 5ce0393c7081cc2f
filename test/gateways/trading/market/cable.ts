import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { TestVenue } from '../../../server/kit.ts';

/** The wire between a client and a venue, in the hands of a test. */
export class Cable {
  readonly url: string;
  readonly #pairs: Set<readonly [Socket, Socket]>;
  readonly #state: { isUp: boolean };

  constructor(url: string, pairs: Set<readonly [Socket, Socket]>, state: { isUp: boolean }) {
    this.url = url;
    this.#pairs = pairs;
    this.#state = state;
  }

  /** Breaks every connection; new ones are refused while it is down. */
  cut(): void {
    this.#state.isUp = false;
    for (const pair of this.#pairs) for (const end of pair) end.destroy();
  }

  /** Lets new connections through again. */
  mend(): void {
    this.#state.isUp = true;
  }

  /** Nothing goes through any more, though no end notices. */
  freeze(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }
}

/** Lays a cable to a venue for the test that asks. */
export async function cableTo(venue: TestVenue): Promise<Cable> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const state = { isUp: true };
  const server = createServer((near) => {
    if (!state.isUp) {
      near.destroy();
      return;
    }
    const far = connect(venue.venue.port, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    near.setNoDelay(true);
    far.setNoDelay(true);
    near.pipe(far);
    far.pipe(near);
    for (const end of pair) {
      end.on('error', () => undefined);
      end.once('close', () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const cable = new Cable(`http://127.0.0.1:${port}`, pairs, state);
  onTestFinished(() => {
    cable.cut();
    server.close();
  });
  return cable;
}
