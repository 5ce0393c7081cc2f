import { join } from 'node:path';
import { concat, filter, first, ignoreElements, map, merge, of, takeWhile, tap, timer } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run.ts';
import { amount, defineStrategy, isolated, setMargin, target, z, type MarginAccount, type MarginPosition } from '../../src/index.ts'; // prettier-ignore
import { decimal, Decimal } from '../../src/model/decimal.ts';
import { LAST, QUOTE } from '../../src/model/events.ts';
import type { InstrumentTerms } from '../../src/model/instrument.ts';
import { lots as asLots } from '../../src/model/units.ts';
import { Random } from '../../src/platform/random.ts';
import { US_PER_MS, US_PER_SECOND } from '../../src/platform/time.ts';
import { instrument, onMargin } from '../exchange/margin/kit.ts';
import { NaiveAccount, naiveLimitTicks, naivePositionReserve } from '../exchange/margin/naive.ts';
import { derivativesMeta, eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';
import { runs, seed as seedOf } from '../kit/size.ts';

const quote = (second: number, bid: number, ask: number): Row => {
  const at = second * US_PER_SECOND;
  return [...([at, at, QUOTE, LAST, 0] as const), ...([bid, 100_000, ask, 100_000, 0] as const)];
};

const recordingOf = (terms: InstrumentTerms, rows: readonly Row[]): string => {
  const meta = terms.type === 'spot' ? eventsMeta : derivativesMeta;
  return writeRecording(join(temporaryFolder(), 'a.arrow'), rows, meta({ instrument: terms }));
};

/** The records of the trading service that docs/margin-and-futures.md shows, whose f is none that a taker pays. */
const BTC = { tickSize: '0.01', quantityIncrement: '0.00001' } as const;
const XRP = { tickSize: '0.0001', quantityIncrement: '1', baseCurrency: 'XRP' } as const;

describe('a strategy is shown of a published account to the last digit what the service showed', () => {
  test.each([
    {
      record: 'F',
      terms: BTC,
      lots: 87,
      entry: 2_009_746,
      funds: '10',
      leverage: 12,
      f: '0.005',
      muls: ['1.25', '1.75'],
      held: '1.55177513025',
      call: '9267.37',
      liquidation: '9081.05',
    },
    {
      record: 'G',
      terms: BTC,
      lots: 1,
      entry: 3_338_618,
      funds: '0.080706742356',
      leverage: 12,
      f: '0.005',
      muls: ['1.25', '1.75'],
      held: '0.02963023475',
      call: '27269.85',
      liquidation: '26721.57',
    },
    {
      record: 'H',
      lots: -51,
      entry: 4_853,
      funds: '1.847347812014',
      leverage: 20,
      terms: { ...XRP, type: 'futures', contractType: 'perpetual' } as const,
      f: '0.003',
      muls: ['1.2', '2'],
      held: '1.315478445',
      call: '0.4992',
      liquidation: '0.5073',
    },
  ])('record $record', async ({ terms, lots, entry, funds, leverage, f, muls, ...shown }) => {
    const { symbol, terms: traded } = instrument({
      ...terms,
      takeRate: '0',
      margin: onMargin({
        maxInitialLeverage: '100',
        reserveRate: f,
        marginCallLeverageMul: muls[0],
        liquidationLeverageMul: muls[1],
      }),
    });
    const where = isolated(symbol);
    let position: MarginPosition | undefined;
    let account: MarginAccount | undefined;
    const strategy = defineStrategy({
      name: 'record',
      summary: 'Opens what a record shows.',
      parameters: z.object({}),
      run: (context) => {
        context.account.position(where).subscribe((one) => (position = one));
        context.account.margin(where).subscribe((one) => (account = one));
        return concat(
          of(setMargin(where, { balance: amount(funds), leverage })),
          context.account.margin(where).pipe(
            first(({ state }) => state === 'normal'),
            ignoreElements(),
          ),
          of(target(where, { lots: asLots(lots) })),
        );
      },
    });
    const rows = Array.from({ length: 9 }, (_, second) => quote(second + 1, entry, entry));
    const result = await runBacktest({
      strategy,
      parameters: {},
      balances: { USDT: '100' },
      recordings: [recordingOf(traded, rows)],
    });
    expect(result.failure).toBeUndefined();
    expect(position).toMatchObject({ lots, side: lots > 0 ? 'long' : 'short' });
    expect([position?.marginCallPrice, position?.liquidationPrice].map(String)).toEqual([
      ...[shown.call, shown.liquidation],
    ]);
    expect([account?.balance, account?.reservedPositions].map(String)).toEqual([
      ...[funds, shown.held],
    ]);
  });
});

const LEVERAGE = 5;
const RATE = '0.001';
const FUNDS = '900';
const SECONDS = 60;

/** A quote each second, on a price that walks by chance. */
function walk(random: Random): readonly Row[] {
  let price = 100;
  return Array.from({ length: SECONDS }, (_, index) => {
    price = Math.max(80, price + random.integer(-2, 2));
    return quote(index + 1, price - 1, price + 1);
  });
}

/** Targets by chance, each compared with slow books of the fills once it is reached. */
async function compared(run: number): Promise<number> {
  const random = new Random(run);
  const rows = walk(random);
  const margin = onMargin({ maxInitialLeverage: '10' });
  const { symbol, terms } = instrument({ takeRate: RATE, margin });
  const where = isolated(symbol);
  const naive = new NaiveAccount();
  naive.balance = decimal(FUNDS);
  let [fees, realized] = [new Decimal(0), new Decimal(0)];
  let position: MarginPosition | undefined;
  let account: MarginAccount | undefined;
  let count = 0;
  const check = (): void => {
    const held = naive.positions.get(symbol);
    expect(account?.balance.toFixed()).toBe(naive.balance.toFixed());
    expect(position?.lots).toBe(held?.lots ?? 0);
    if (held === undefined || position?.markPrice === undefined) return;
    const cost = held.cost.abs();
    const lots = Math.abs(held.lots);
    const value = position.markPrice.times(lots);
    const pnlAt = (mark: Decimal): Decimal => mark.times(held.lots).minus(held.cost);
    const limit = (mul: number): string | undefined => {
      const holding = { lots: held.lots, cost, value };
      const ticks = naiveLimitTicks(naive.balance, holding, [], mul * LEVERAGE, RATE);
      return ticks === 0 ? undefined : String(ticks);
    };
    expect({
      unrealizedPnl: position.unrealizedPnl?.toFixed(),
      realizedPnl: position.realizedPnl.toFixed(),
      fees: position.fees.toFixed(),
      notional: position.notional?.toFixed(),
      call: position.marginCallPrice?.toFixed(),
      liquidation: position.liquidationPrice?.toFixed(),
      reserved: account?.reservedPositions.toFixed(),
      equity: account?.equity?.toFixed(),
    }).toEqual({
      unrealizedPnl: pnlAt(position.markPrice).toFixed(),
      realizedPnl: realized.toFixed(),
      fees: fees.toFixed(),
      notional: value.toFixed(),
      call: limit(1.5),
      liquidation: limit(2),
      reserved: naivePositionReserve(
        cost,
        pnlAt(position.markPrice).negated(),
        LEVERAGE,
        RATE,
      ).toFixed(),
      equity: naive.balance.plus(pnlAt(position.markPrice)).toFixed(),
    });
    count += 1;
  };
  const strategy = defineStrategy({
    name: 'random',
    summary: 'Holds anything.',
    parameters: z.object({}),
    run: (context) => {
      context.account.position(where).subscribe((one) => {
        position = one;
      });
      context.account.margin(where).subscribe((one) => (account = one));
      context.account.fills().subscribe(({ side, lots, ticks }) => {
        const signed = (side === 'buy' ? 1 : -1) * lots;
        if (!naive.positions.has(symbol)) [fees, realized] = [new Decimal(0), new Decimal(0)];
        const fee = new Decimal(ticks).times(lots).times(RATE);
        realized = realized.plus(naive.trade(symbol, signed, ticks));
        fees = fees.plus(fee);
        naive.balance = naive.balance.minus(fee);
      });
      const isOpen$ = context.account.margin(where).pipe(
        filter(({ state }) => state === 'normal'),
        first(),
        ignoreElements(),
      );
      const ticks$ = timer(250, 500).pipe(
        takeWhile(() => context.clock.now() < (SECONDS - 2) * US_PER_SECOND),
        tap((at) => at % 4 === 3 && check()),
        filter((at) => at % 4 === 0),
        map(() => target(where, { lots: asLots(random.integer(-25, 25)) })),
      );
      const open = setMargin(where, { balance: amount(FUNDS), leverage: LEVERAGE });
      return merge(of(open), concat(isOpen$, ticks$));
    },
  });
  const latencyUs = 10 * US_PER_MS;
  const result = await runBacktest({
    strategy,
    parameters: {},
    balances: { USDT: '1000' },
    recordings: [recordingOf(terms, rows)],
    latency: { orderUs: latencyUs, reportUs: latencyUs },
  });
  expect(result.failure).toBeUndefined();
  return count;
}

test('a strategy is shown of its positions, account and their limits what slow books make of its fills', async () => {
  const first = seedOf(1);
  let count = 0;
  for (let run = 0; run < runs(20); run += 1) count += await compared(first + run);
  expect(count).toBeGreaterThan(10 * runs(20));
});
