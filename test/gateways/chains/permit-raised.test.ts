import { expect, onTestFinished, test } from 'vitest';
import type {
  TransferChange,
  TransferRecord,
} from '../../../src/swaps/execution/transfer-route.ts';
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
    const holding = { asset: token.asset, location: token.network };
    const location = { holding, network: NETWORK, token, signer: SIGNER, node: chain.openEvm() };
    let transfer = { id: 'm', state: 'created', send: decimal('5'), data: { intent: 'i', permit: 'missing' } } as unknown as TransferRecord; // prettier-ignore
    const take = (change: TransferChange | undefined): void => {
      transfer = { ...transfer, ...change, data: { ...transfer.data, ...change?.data } };
    };
    const turn = async (at = location): Promise<string> => {
      if (transfer.data['permit'] === 'sent') {
        take(await observePermit(transfer, at));
        return 'observe';
      }
      const step = permitStep(transfer, at);
      take(await (step.name === 'permit' ? permit : preparePermit)(transfer, at, step));
      return step.name;
    };
    expect([await turn(), await turn()]).toEqual(['preparePermit', 'permit']);
    await chain.raiseFees?.();
    expect(await turn()).toBe('observe');
    const stuck = transfer;
    // Where the bound forbids a successor it waits, and says so once.
    const poor = { ...location, node: chain.openEvm({ feeBound: 10n ** 9n }) };
    expect([await turn(poor), await turn(poor), await turn(poor)]).toEqual(['preparePermit', 'observe', 'observe']); // prettier-ignore
    expect(transfer.reason).toContain('feeBound');
    expect(candidatesIn(transfer.data, 'permitCandidates')).toHaveLength(1);

    transfer = stuck;
    expect([await turn(), await turn()]).toEqual(['preparePermit', 'permit']);
    const candidates = candidatesIn(transfer.data, 'permitCandidates');
    expect(new Set(candidates.map(({ uses }) => uses)).size).toBe(1);
    expect(new Set(candidates.map(({ id }) => id)).size).toBe(2);
    await chain.finalize();
    expect(await turn()).toBe('observe');
    expect(transfer.data['permit']).toBe('given');
    expect(await chain.allowed?.(SIGNER.address)).toBe(5_000_000n);
  },
);
