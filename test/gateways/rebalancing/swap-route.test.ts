import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedNode } from '../../../src/gateways/chains/simulated-node.ts';
import { SwapRoute, type SwapRouteOptions } from '../../../src/gateways/rebalancing/swap-route.ts';
import type { SwapWallet } from '../../../src/gateways/rebalancing/swap/wallet.ts';
import type { SwapService } from '../../../src/gateways/rebalancing/swap/service.ts';
import { affiliateSurface } from '../../../src/gateways/rebalancing/swap/affiliate-surface.ts';
import { executionSurface } from '../../../src/gateways/rebalancing/swap/execution-surface.ts';
import { AffiliateSwapClient } from '../../../src/gateways/swaps/affiliate-client.ts';
import { SwapClient } from '../../../src/gateways/swaps/client.ts';
import { Decimal, decimal } from '../../../src/model/decimal.ts';
import { MillraceError } from '../../../src/model/errors.ts';
import { isRejection } from '../../../src/model/rejections.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros } from '../../../src/platform/time.ts';
import type {
  TransferChange,
  TransferRecord,
  Offer,
} from '../../../src/swaps/execution/transfer-route.ts';
import { realCost } from '../../../src/swaps/execution/acceptance.ts';
import { applyChange, openTransfer } from '../../../src/swaps/execution/transfer.ts';
import { keySigner } from '../../../src/swaps/keys/key-ring.ts';
import { withFees } from './kit/fee-node.ts';
import { openTrialVenue, type TrialVenue } from './kit/swap-venue.ts';
import { holding } from '../../swaps/execution/rig.ts';
import { BTC, SOL, USDC_ETHEREUM, USDC_TRON, WETH } from '../../swaps/chains/harness.ts';

const scheduler = new SystemScheduler();
let venue: TrialVenue;
let node: SimulatedNode;
let execution: SwapClient;
let affiliate: AffiliateSwapClient;

/** The surface that the routes of the tests swap by. */
let service: () => SwapService;

/** A route of the real client; parts of that may be replaced. */
function route(
  replaced: Partial<SwapRouteOptions['service']> = {},
  own: SimulatedNode = node,
): SwapRoute {
  const { chains, keys } = venue;
  const wallets = chains.tokens.flatMap((token): readonly SwapWallet[] => {
    const network = chains.networks.find(({ code }) => code === token.network);
    if (network === undefined) return [];
    const signer = keySigner(network.family, keys[token.network] ?? '');
    return [
      {
        holding: { asset: token.asset, location: token.network },
        network,
        token,
        node: own,
        signer,
      },
    ];
  });
  return new SwapRoute({ name: 'swaps', wallets, service: { ...service(), ...replaced } });
}

async function offered(from: string, to: string, send: string, by = route()): Promise<Offer> {
  const offer = await by.offer(holding(from), holding(to), decimal(send));
  if (isRejection(offer)) throw new Error(offer.message);
  return offer;
}

let plans = 0;
async function transferOf(
  from: string,
  to: string,
  send: string,
  by = route(),
): Promise<TransferRecord> {
  plans += 1;
  const offer = await offered(from, to, send, by);
  const planned = { id: '1', offer, least: offer.least, after: [] };
  return openTransfer({ id: `plan-${plans}` }, planned, scheduler.now(), 900_000_000);
}

/** Does the next step, which has that name. */
async function step(transfer: TransferRecord, name: string, by = route()): Promise<TransferRecord> {
  const next = by.next(transfer, scheduler.now());
  expect(next?.name).toBe(name);
  if (next === undefined) throw new Error('there is no step');
  return after(
    { ...transfer, paying: transfer.paying || next.pays },
    await by.perform(transfer, next),
  );
}

const after = (transfer: TransferRecord, change: TransferChange): TransferRecord =>
  applyChange(transfer, change, scheduler.now());

/** Looks until the transfer is in a state. */
async function seen(transfer: TransferRecord, state: string): Promise<TransferRecord> {
  for (let now = transfer; ;) {
    const change = await route().observe(now);
    if (change !== undefined) now = after(now, change);
    if (now.state === state) return now;
    await new Promise<void>((resolve) => {
      scheduler.at(micros(scheduler.now() + 20_000), resolve);
    });
  }
}

const advance = (transfer: TransferRecord, times: number): void => {
  for (let time = 0; time < times; time += 1) {
    expect(venue.service.manualActions.advance(String(transfer.data['intent']))).toBeUndefined();
  }
};

const surfaces = {
  Execution: () => executionSurface(execution),
  Affiliate: () => affiliateSurface(affiliate),
};

/** The same, quoting another amount than they are asked for. */
const others = {
  Execution: () =>
    executionSurface({
      getQuote: (asked) => execution.getQuote({ ...asked, amount: decimal('7') }),
      createIntent: (asked) => execution.createIntent(asked),
      approve: (...given) => execution.approve(...given),
      getIntent: (id) => execution.getIntent(id),
    }),
  Affiliate: () =>
    affiliateSurface({
      getBestQuote: (asked) => affiliate.getBestQuote({ ...asked, amount: decimal('7') }),
      createIntent: (asked) => affiliate.createIntent(asked),
      approve: (...given) => affiliate.approve(...given),
      getStatus: (id) => affiliate.getStatus(id),
    }),
};

describe.each(['Execution', 'Affiliate'] as const)('by the %s surface', (surface) => {
  beforeAll(async () => {
    venue = await openTrialVenue({ byHand: true });
    node = new SimulatedNode({ url: venue.url });
    execution = new SwapClient({ url: venue.url, privateKey: venue.privateKey });
    service = () => surfaces[surface]();
    affiliate = new AffiliateSwapClient({ url: venue.url, apiKey: 'affiliate-key' });
  });

  afterAll(async () => {
    await execution.close();
    await affiliate.close();
    await node.close();
    await venue.close();
  });

  describe('an offer', () => {
    test('promises the lower bound of the quote and expects the middle of its bounds', async () => {
      const offer = await offered('USDC@tron', 'USDC@ethereum', '1000.0000019');
      expect(offer.send.toFixed()).toBe('1000.000001');
      const quote = await execution.getQuote({
        from: { token_id: USDC_TRON },
        to: { token_id: USDC_ETHEREUM },
        amount: '1000.000001',
        slippage_bps: '50',
      });
      const { min_amount_lots: least, max_amount_lots: most } = quote.to;
      expect(offer.least.times(1e6).toFixed()).toBe(String(least));
      expect(offer.expected.times(1e6).toFixed()).toBe(String((least + most) / 2n));
      expect(offer.expiresAt).toBeGreaterThan(scheduler.now());
    });

    test('is refused for what it does not swap, for nothing, and in the words of the service', async () => {
      const by = route();
      const to = holding('USDC@ethereum');
      expect(await by.offer(holding('DOGE@moon'), to, decimal('1'))).toMatchObject({
        code: 'pair-unavailable',
        message: 'swaps does not swap DOGE@moon for USDC@ethereum.',
      });
      expect(await by.offer(holding('USDC@tron'), to, decimal('0.0000009'))).toMatchObject({
        code: 'amount-below-minimum',
      });
      const most = await by.offer(holding('USDC@tron'), to, decimal('900000000'));
      expect(most).toMatchObject({ code: 'pair-unavailable' });
    });

    test('is not made of a quote for something else', async () => {
      const wrong = route({ quote: (asked) => others[surface]().quote(asked) });
      await expect(offered('USDC@tron', 'USDC@ethereum', '1000', wrong)).rejects.toThrow(
        'The swap service quotes what it was not asked for.',
      );
    });

    test('is made for all pairs of wallets', () => {
      expect(route().pairs()).toHaveLength(6 * 5);
    });
  });

  describe('a transfer', () => {
    test.each([
      ['USDC@tron', 'USDC@ethereum', '1000', USDC_TRON, USDC_ETHEREUM],
      ['BTC@bitcoin', 'USDC@ethereum', '0.5', BTC, USDC_ETHEREUM],
      ['SOL@solana', 'BTC@bitcoin', '20', SOL, BTC],
    ])('from %s to %s brings what its transaction says', async (from, to, send, gives, gets) => {
      venue.permit(gives);
      const before = [venue.holds(gives), venue.holds(gets)] as const;
      let transfer = await step(await transferOf(from, to, send), 'createIntent');
      expect([transfer.state, transfer.paying]).toEqual(['created', false]);
      transfer = await step(transfer, 'approve');
      expect([transfer.state, transfer.paying]).toEqual(['approved', true]);
      expect(await route().observe(transfer)).toBeUndefined();
      advance(transfer, 2);
      transfer = await seen(transfer, 'deposited');
      advance(transfer, 1);
      transfer = await seen(transfer, 'fulfilled');
      expect(venue.holds(gets).minus(before[1]).toFixed()).toBe(transfer.arrived?.toFixed());
      // A miner takes a little more on Bitcoin.
      const left = before[0].minus(venue.holds(gives));
      expect(left.toFixed()).toBe((transfer.sent ?? transfer.send).toFixed());
      expect(left.greaterThan(send)).toBe(gives === BTC);
      expect(left.toDecimalPlaces(5, Decimal.ROUND_DOWN).toFixed()).toBe(send);
      const rate = transfer.from.asset === transfer.to.asset ? '1' : '3';
      const prices = new Map(Object.entries({ [transfer.to.asset]: decimal('1'), [transfer.from.asset]: decimal(rate) })); // prettier-ignore
      const cost = left.times(rate).minus(transfer.arrived ?? 0);
      expect(realCost(transfer, prices).toFixed()).toBe(cost.toFixed());
      expect(transfer.arrived?.lessThan(transfer.least)).toBe(false);
    });

    test('permits its token first where the service cannot take it yet', async () => {
      const fee = { lots: 9n, expectedLots: 5n, coin: WETH };
      const ended = { kind: 'failed', id: 'x', reason: '', isFinal: true } as const;
      const by = route({}, withFees(node, { fee, held: 9n, paid: 4n, outcome: ended }));
      const unpermitted = await transferOf('USDC@ethereum', 'USDC@tron', '10', by);
      const [coin, wei] = [holding('ETH@ethereum'), decimal('0.000000000000000001')];
      const foreseen = { expected: wei.times(5), most: wei.times(9), held: wei.times(9) };
      expect(unpermitted.networkFee).toEqual({ of: 'approval', coin, ...foreseen, isIncluded: false }); // prettier-ignore
      let transfer = await step(unpermitted, 'createIntent');
      transfer = await step(transfer, 'approve');
      expect(transfer.state).toBe('created');
      expect(transfer.data['permit']).toBe('missing');
      transfer = await step(transfer, 'preparePermit');
      const permit = route().next(transfer, scheduler.now());
      if (permit === undefined) throw new Error('there is no step');
      expect(await route().recall(transfer, permit)).toBe('undone');
      const poor = route({}, withFees(node, { fee, held: 8n }));
      const rejection = await poor.offer(transfer.from, transfer.to, transfer.send);
      expect(rejection).toMatchObject({ code: 'funds-insufficient', field: 'fee' });
      const permitted = await step(transfer, 'permit', by);
      expect(permitted.paidFee).toEqual({ coin, amount: wei.times(4), isIncluded: false });
      expect((await offered('USDC@ethereum', 'USDC@tron', '10', by)).networkFee).toBeUndefined();
      // A second time changes nothing, as after a lost answer.
      expect(await route().recall(transfer, permit)).toMatchObject({ data: { permit: 'given' } });
      expect(await route().perform(transfer, permit)).toMatchObject({ data: { permit: 'given' } });
      expect((await step(permitted, 'approve')).state).toBe('approved');
    });

    test('is declined or given back by the service', async () => {
      venue.permit(USDC_TRON);
      const created = await step(
        await transferOf('USDC@tron', 'USDC@ethereum', '10'),
        'createIntent',
      );
      const declined = await step(created, 'approve');
      venue.service.manualActions.decline(String(declined.data['intent']), 'By hand.');
      expect(await seen(declined, 'failed')).toMatchObject({ reason: 'The resolver declined the intent.' }); // prettier-ignore

      const other = await step(
        await transferOf('USDC@tron', 'USDC@ethereum', '10'),
        'createIntent',
      );
      const paid = await step(other, 'approve');
      advance(paid, 2);
      const before = venue.holds(USDC_TRON);
      venue.service.manualActions.requestRefund(String(paid.data['intent']), 'By hand.');
      advance(paid, 1);
      const refunded = await seen(paid, 'refunded');
      expect(venue.holds(USDC_TRON).minus(before).toFixed()).toBe(refunded.refunded?.toFixed());
    });

    test('gets another offer where its quote has served, and none where the request is wrong', async () => {
      const transfer = await transferOf('USDC@tron', 'USDC@ethereum', '10');
      await step(transfer, 'createIntent');
      expect(await step(transfer, 'createIntent')).toMatchObject({ state: 'planned' });
      const keyless = route({
        createIntent: ({ path: { from, to }, ...rest }, quote) => {
          const { publicKey: _, ...signer } = from.signer;
          return service().createIntent(
            { ...rest, path: { from: { ...from, signer }, to } },
            quote,
          );
        },
      });
      const other = await transferOf('SOL@solana', 'USDC@ethereum', '1');
      expect(await step(other, 'createIntent', keyless)).toMatchObject({ state: 'failed' });
    });

    test('finds out whether its approval arrived, and is approved once', async () => {
      venue.permit(USDC_TRON);
      const transfer = await step(
        await transferOf('USDC@tron', 'USDC@ethereum', '10'),
        'createIntent',
      );
      const approve = route().next(transfer, scheduler.now());
      if (approve === undefined) throw new Error('there is no step');
      expect(await route().recall(transfer, approve)).toBe('undone');
      const deaf = route({
        approve: async (...given) => {
          await service().approve(...given);
          throw new MillraceError('outcome-unknown', 'No answer came.');
        },
      });
      await expect(deaf.perform(transfer, approve)).rejects.toThrow('No answer came.');
      expect(await route().recall(transfer, approve)).toEqual({ state: 'approved' });
      // Should it be sent again all the same, the service says that it has one.
      expect(await route().perform(transfer, approve)).toEqual({ state: 'approved' });
    });

    test('signs nothing that is not what was agreed', async () => {
      const transfer = await step(
        await transferOf('USDC@tron', 'USDC@ethereum', '10'),
        'createIntent',
      );
      const change = await step({ ...transfer, send: decimal('9') }, 'approve');
      expect(change.state).toBe('failed');
      expect((await service().status(String(transfer.data['intent']))).state).toBe('created');
    });

    test('does not go on where its wallets are no longer configured', async () => {
      const transfer = await step(
        await transferOf('USDC@tron', 'USDC@ethereum', '10'),
        'createIntent',
      );
      await expect(route().observe({ ...transfer, to: holding('DOGE@moon') })).rejects.toThrow(
        'swaps no longer has both',
      );
    });
  });
});
