import { expect, onTestFinished, test } from 'vitest';
import type { MoveChange, MoveRecord } from '../../../src/swaps/execution/carrier.ts';
import {
  observePermit,
  permit,
  permitStep,
  preparePermit,
} from '../../../src/gateways/rebalancing/swap/permit.ts';
import { candidatesIn } from '../../../src/gateways/rebalancing/payments/candidates.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { ANVIL } from './anvil.ts';
import { NETWORK, SIGNER, tokensOf } from './contract/evm-node-of.ts';
import { startEvm } from './contract/evm.ts';

test.skipIf(ANVIL === undefined)(
  'an approval that no block takes is raised by one that excludes it, within the bound',
  async () => {
    const chain = await startEvm();
    onTestFinished(async () => chain.close());
    const [, token] = tokensOf(chain.contracts);
    const slot = { asset: token.asset, place: token.network };
    const place = { slot, network: NETWORK, token, signer: SIGNER, node: chain.openEvm() };
    let move = { id: 'm', state: 'created', send: decimal('5'), data: { intent: 'i', permit: 'missing' } } as unknown as MoveRecord; // prettier-ignore
    const take = (change: MoveChange | undefined): void => {
      move = { ...move, ...change, data: { ...move.data, ...change?.data } };
    };
    const turn = async (at = place): Promise<string> => {
      if (move.data['permit'] === 'sent') {
        take(await observePermit(move, at));
        return 'observe';
      }
      const step = permitStep(move, at);
      take(await (step.name === 'permit' ? permit : preparePermit)(move, at, step));
      return step.name;
    };
    expect([await turn(), await turn()]).toEqual(['preparePermit', 'permit']);
    await chain.raiseFees?.();
    expect(await turn()).toBe('observe');
    const stuck = move;
    // Where the bound forbids a successor it waits, and says so once.
    const poor = { ...place, node: chain.openEvm({ feeBound: 10n ** 9n }) };
    expect([await turn(poor), await turn(poor), await turn(poor)]).toEqual(['preparePermit', 'observe', 'observe']); // prettier-ignore
    expect(move.reason).toContain('feeBound');
    expect(candidatesIn(move.data, 'permitCandidates')).toHaveLength(1);

    move = stuck;
    expect([await turn(), await turn()]).toEqual(['preparePermit', 'permit']);
    const candidates = candidatesIn(move.data, 'permitCandidates');
    expect(new Set(candidates.map(({ uses }) => uses)).size).toBe(1);
    expect(new Set(candidates.map(({ id }) => id)).size).toBe(2);
    await chain.finalize();
    expect(await turn()).toBe('observe');
    expect(move.data['permit']).toBe('given');
    expect(await chain.allowed?.(SIGNER.address)).toBe(5_000_000n);
  },
);
