import { generateKeyPairSync } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { PortfolioTransfers } from '../../../src/bot/rebalancing/portfolio-transfers.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { Random } from '../../../src/platform/random.ts';
import { micros, US_PER_SECOND } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { Services } from '../../cli/rebalancing/services.ts';
import { driven } from '../rig.ts';

const services = new Services();

afterAll(async () => {
  await services.close();
});

test('a service that did not answer the opening is not waited for by the plan that follows', async () => {
  const url = await services.open(() => undefined);
  const scheduler = new VirtualScheduler(micros(0));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const opening = PortfolioTransfers.open(
    {
      name: 'silent',
      data: '',
      prices: new Map(),
      chains: [],
      exchangeOrders: { url, privateKey },
      targets: { holdings: [], minimumValue: decimal('0'), maximumCost: decimal('1') },
    },
    { scheduler, random: new Random(1) },
  );
  const portfolioTransfers = await driven(opening, scheduler);
  const openedAt = scheduler.now();
  expect(openedAt).toBeGreaterThanOrEqual(10 * US_PER_SECOND);
  const left = [expect.objectContaining({ name: 'exchange-orders' })];
  expect(await driven(portfolioTransfers.reach(), scheduler)).toEqual(left);
  expect(scheduler.now() - openedAt).toBeLessThan(US_PER_SECOND);
  // The next plan asks again.
  expect(await driven(portfolioTransfers.reach(), scheduler)).toEqual(left);
  expect(scheduler.now() - openedAt).toBeGreaterThanOrEqual(9 * US_PER_SECOND);
  await driven(portfolioTransfers.close(), scheduler);
});
