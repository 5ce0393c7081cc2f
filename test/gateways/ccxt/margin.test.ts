import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { madeGateway, type Gateway } from '../../../src/gateways/own/gateway.ts';
import { decimal } from '../../../src/model/decimal.ts';
import type { MarginAccountReport } from '../../../src/model/margin-account.ts';
import type { NewOrder } from '../../../src/model/order.ts';
import type { OrderRequest } from '../../../src/model/order-request.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { systemRandom } from '../../../src/platform/system-random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros, US_PER_MINUTE } from '../../../src/platform/time.ts';
import { openTrialVenue, type TrialVenue } from '../../bot/kill/venue.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { Ear } from '../trading/account/kit.ts';
import { hitbtcAt, openCrossAccount } from './hitbtc.ts';

/** A lively venue with a perpetual, on which the member has a cross margin account. */
let venue: TrialVenue;
const scheduler = new SystemScheduler();
const SYMBOL = 'ETH/USDT:USDT';
const FUNDS = '50000';

beforeAll(async () => {
  venue = await openTrialVenue('margin');
  await openCrossAccount(venue.client, FUNDS, '10');
});

afterAll(async () => {
  await venue.close();
});

async function gateway(leverage = '10'): Promise<{ made: Gateway; warned: string[] }> {
  const warned: string[] = [];
  const log = { debug: () => undefined, info: () => undefined, warn: (line: string) => void warned.push(line) }; // prettier-ignore
  const contracts = { leverage: decimal(leverage), apply: false };
  const module = hitbtcAt(`127.0.0.1:${venue.port}`, 'bot', [SYMBOL], contracts);
  const made = await madeGateway(module, { scheduler, random: systemRandom(), log });
  onTestFinished(async () => {
    await made.account.close();
    await made.market.close();
    await made.close?.();
  });
  return { made, warned };
}

let count = 0;
const place = (more: Partial<NewOrder> = {}): OrderRequest & NewOrder => ({
  kind: 'place',
  clientOrderId: `perp-${String((count += 1)).padStart(7, '0')}`,
  symbol: SYMBOL,
  side: 'buy',
  type: 'market',
  timeInForce: 'IOC',
  postOnly: false,
  lots: lots(100),
  margin: { mode: 'cross' },
  ...more,
});

const accountsOf = (ear: Ear): readonly MarginAccountReport[] =>
  ear.margins.filter((one) => one.kind === 'marginAccount');

/** The account as the venue has it. */
async function there() {
  const [account] = await venue.client.rest.getFuturesAccounts();
  const [position] = account.positions ?? [];
  return {
    balance: account.currencies[0]?.margin_balance.toFixed(),
    quantity: position?.quantity.toFixed() ?? '0',
    entry: position?.price_entry?.toFixed(),
  };
}

describe('a margin account by ccxt', () => {
  test('is that of the exchange, and follows fills, closes and flips to the last digit', async () => {
    const { made, warned } = await gateway();
    const ear = new Ear();
    await made.account.open(ear);
    const [first] = accountsOf(ear);
    expect(first).toMatchObject({ reason: 'updated', account: { mode: 'cross', isOpen: true, positions: [] } }); // prettier-ignore
    expect(first.account.balance.toFixed()).toBe(FUNDS);
    expect(made.account.instruments[0].margin.cross?.maxInitialLeverage.toFixed()).toBe('10');
    const steps: readonly (readonly [Partial<NewOrder>, string, number])[] = [
      [{ lots: lots(300) }, 'openTrade', 300],
      [{ side: 'sell', margin: { mode: 'cross', reduceOnly: true } }, 'closeTrade', 200],
      [{ side: 'sell', lots: lots(500) }, 'flipTrade', -300],
      [{ side: 'buy', lots: lots(300) }, 'closed', 0],
    ];
    for (const [more, reason, held] of steps) {
      const order = place(more);
      made.account.send(order);
      await vi.waitFor(async () => {
        const last = accountsOf(ear).at(-1)?.account;
        const position = last?.positions[0];
        const at = await there();
        expect(position?.lots ?? 0).toBe(held);
        expect(last?.balance.toFixed()).toBe(at.balance);
        expect(Number(at.quantity) * 1_000).toBe(held);
        expect(position?.entryPrice.toFixed()).toBe(at.entry);
      }, PATIENCE);
      const fill = ear.of('trade').find((one) => one.order.clientOrderId === order.clientOrderId);
      expect(fill?.fill.margin).toBe('cross');
      expect(accountsOf(ear).map((one) => one.reason)).toContain(reason);
    }
    expect(accountsOf(ear).filter(({ byOthers }) => byOthers === true)).toEqual([]);
    expect(ear.of('balance').find(({ currency }) => currency === 'USDT')?.available.toFixed()).toBe('950000'); // prettier-ignore
    expect(warned).toEqual([]);
  }, 120_000);

  test('reports what others trade, and the snapshot agrees', async () => {
    const { made } = await gateway();
    const ear = new Ear();
    await made.account.open(ear);
    await venue.client.rest.createFuturesOrder({
      symbol: 'ETHUSDT_PERP',
      side: 'buy',
      type: 'market',
      quantity: decimal('0.05'),
      margin_mode: 'cross',
    });
    await vi.waitFor(() => {
      const told = accountsOf(ear).find(({ byOthers }) => byOthers === true);
      expect(told?.position?.lots).toBe(50);
    }, PATIENCE);
    const { margin } = await made.account.snapshot(micros(scheduler.now() - US_PER_MINUTE));
    const [account] = margin?.accounts ?? [];
    const at = await there();
    expect(account.balance.toFixed()).toBe(at.balance);
    expect(account.positions.map((one) => one.lots)).toEqual([50]);
    expect(account.positions[0].liquidationPrice).toBeUndefined();
    made.account.send(place({ side: 'sell', lots: lots(50), margin: { mode: 'cross', reduceOnly: true } })); // prettier-ignore
    await vi.waitFor(async () => expect((await there()).quantity).toBe('0'), PATIENCE);
  }, 120_000);

  test('answers settings: what the exchange has is reported, all else is rejected with the reason', async () => {
    const { made } = await gateway();
    const ear = new Ear();
    await made.account.open(ear);
    const ask = (more: object): void =>
      made.account.margin?.set({ kind: 'setMargin', symbol: SYMBOL, mode: 'cross', ...more });
    ask({ leverage: decimal('10') });
    ask({ leverage: decimal('20') });
    ask({ balance: decimal('1') });
    ask({ mode: 'isolated' });
    await vi.waitFor(() => expect(ear.margins.filter((one) => one.kind === 'marginRejected')).toHaveLength(3), PATIENCE); // prettier-ignore
    const codes = ear.margins.flatMap((one) => one.kind === 'marginRejected' ? [one.rejection.code] : []); // prettier-ignore
    expect(codes).toEqual(['leverage-invalid', 'margin-balance-invalid', 'margin-mode-invalid']);
    expect(accountsOf(ear).some(({ reason }) => reason === 'marginChanged')).toBe(true);
  }, 60_000);

  test('is refused where leverage, account or market are others than configured', async () => {
    const { made } = await gateway('5');
    await expect(made.account.open(new Ear())).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('ETH/USDT:USDT has cross, leverage 10 at hitbtc, and the configuration cross, leverage 5'), // prettier-ignore
    });
  }, 60_000);
});

describe('an order that a perpetual does not take', () => {
  test.each<[Partial<NewOrder>, string]>([
    [{ margin: { mode: 'isolated' } }, 'margin-mode-invalid'],
    [{ margin: undefined }, 'margin-mode-invalid'],
    [{ margin: { mode: 'cross', closePosition: true } }, 'type-invalid'],
    [{ type: 'stopMarket', stopTicks: ticks(1) }, 'type-invalid'],
  ])(
    'is rejected before it is sent (%o)',
    async (more, code) => {
      const { made } = await gateway();
      const ear = new Ear();
      await made.account.open(ear);
      made.account.send(place(more));
      await vi.waitFor(() => expect(ear.of('rejected')).toHaveLength(1), PATIENCE);
      expect(ear.of('rejected')[0].rejection.code).toBe(code);
    },
    60_000,
  );
});
