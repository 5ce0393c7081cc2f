import type { FastifyInstance } from 'fastify';
import { AFFILIATE_PREFIX } from '../../wire/swaps/affiliate/requests.ts';
import { EXECUTION_PREFIX } from '../../wire/swaps/execution.ts';
import { mountAffiliate } from './affiliate/mount.ts';
import { mountExecution } from './execution/mount.ts';
import type { SwapSetup } from './setup.ts';

/** Serves the swap service, each surface below its own paths with its own errors. */
export function mountSwaps(app: FastifyInstance, setup: SwapSetup): void {
  const surfaces = [
    [EXECUTION_PREFIX, mountExecution],
    [AFFILIATE_PREFIX, mountAffiliate],
  ] as const;
  for (const [prefix, mount] of surfaces) {
    void app.register(
      (below, _options, done) => {
        mount(below, setup);
        done();
      },
      { prefix },
    );
  }
}
