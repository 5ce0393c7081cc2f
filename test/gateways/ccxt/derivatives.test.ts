import ccxt from 'ccxt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { tradedTerms } from '../../../src/backtest/contracts.ts';
import { CcxtMarket } from '../../../src/gateways/ccxt/market.ts';
import { readInstruments } from '../../../src/gateways/ccxt/terms.ts';
import { madeGateway } from '../../../src/gateways/own/gateway.ts';
import type { MarketListener } from '../../../src/gateways/market-source.ts';
import { joinRate, joinSteps } from '../../../src/model/derivative.ts';
import { FUNDED, INDEXED, MARKED, OPENED } from '../../../src/model/derivative-state.ts';
import {
  FUNDING,
  INDEX,
  LEVEL,
  MARK,
  OPEN_INTEREST,
  SELL,
  TRADE,
} from '../../../src/model/events.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { Random } from '../../../src/platform/random.ts';
import { systemRandom } from '../../../src/platform/system-random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { micros } from '../../../src/platform/time.ts';
import { VirtualScheduler } from '../../../src/platform/virtual-scheduler.ts';
import { openTrialVenue, type TrialVenue } from '../../bot/kill/venue.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { hitbtcAt } from './hitbtc.ts';
import { recordedExchange, type Answer } from './recorded.ts';

const NOW = micros(1_764_000_000_000_000);
/** When the next funding is paid. */
const PAID = 1_764_028_800_000;
const NAMES = new Map([
  [MARK, 'mark'],
  [INDEX, 'index'],
  [FUNDING, 'funding'],
  [OPEN_INTEREST, 'open interest'],
]);

/** Rows in words: decimals of what a venue says of a contract. */
function listening(instrument: Instrument): MarketListener & { readonly told: string[] } {
  const told: string[] = [];
  return {
    told,
    connectionState: () => undefined,
    rows: (_, columns) => {
      for (let row = 0; row < columns.length; row += 1) {
        const { kind, price, size, askPrice, askSize } = columns;
        const name = NAMES.get(kind[row] ?? 0);
        if (name === undefined) continue;
        const [whole, rest] = [price[row], size[row]];
        if (name === 'funding') {
          told.push(`funding ${joinRate({ whole, rest }).toFixed()} ${askPrice[row]} ${askSize[row]}`); // prettier-ignore
        } else if (name === 'open interest') {
          const open = joinSteps({ whole: rest, rest: whole }, instrument.quantityIncrement);
          told.push(`open interest ${open.toFixed()}`);
        } else {
          told.push(`${name} ${joinSteps({ whole, rest }, instrument.tickSize).toFixed()}`);
        }
      }
    },
  };
}

/** A market of a recorded exchange that has learnt its perpetual, and what it warned of. */
async function marketOf(id: string, answers: Readonly<Record<string, Answer>>) {
  const exchange = recordedExchange(id, answers, 'float', 'swap').exchange;
  const contractExchange = recordedExchange(id, answers, 'text', 'swap').exchange;
  const scheduler = new VirtualScheduler(NOW);
  const warned: string[] = [];
  const warn = ({ message }: Error): void => void warned.push(message);
  const market = new CcxtMarket({
    ...{ exchange, contractExchange, scheduler, warn },
    random: new Random(1),
    pollUs: 1_000_000,
  });
  const symbol = id === 'hyperliquid' ? 'BTC/USDC:USDC' : 'BTC/USDT:USDT';
  const exchanges = { market: exchange, account: contractExchange };
  const options = { hasKey: false, warn };
  const [instrument] = await readInstruments(ccxt, exchanges, [symbol], options); // prettier-ignore
  if (instrument === undefined) throw new Error('no instrument');
  await market.learn([instrument]);
  return { market, scheduler, warned, instrument };
}

const ALL = MARKED | INDEXED | FUNDED | OPENED;

/** What exchanges answer, what is known by it, and what becomes of it. */
const ANSWERS: readonly (readonly [string, Readonly<Record<string, Answer>>, number, string[]])[] =
  [
    [
      'binance',
      {
        'fapi/v1/premiumIndex': {
          json: {
            symbol: 'BTCUSDT',
            markPrice: '91069.30000000',
            indexPrice: '91105.12345678',
            estimatedSettlePrice: '91100.1',
            lastFundingRate: '-0.00006543',
            interestRate: '0.00010000',
            nextFundingTime: PAID,
            time: 1_764_000_000_000,
          },
        },
        'fapi/v1/openInterest': {
          json: { openInterest: '10659.509', symbol: 'BTCUSDT', time: 1_764_000_000_000 },
        },
      },
      ALL,
      [
        'mark 91069.3',
        'index 91105.12345678',
        `funding -0.00006543 ${PAID}000 0`,
        'open interest 10659.509',
      ],
    ],
    [
      'bybit',
      {
        'v5/market/tickers': {
          json: {
            retCode: 0,
            retMsg: 'OK',
            result: {
              category: 'linear',
              list: [
                {
                  symbol: 'BTCUSDT',
                  lastPrice: '91066.00',
                  indexPrice: '91105.12',
                  markPrice: '91069.31',
                  fundingRate: '0.0001',
                  nextFundingTime: String(PAID),
                  openInterest: '49102.123',
                },
              ],
            },
            time: 1_764_000_000_000,
          },
        },
        'v5/market/open-interest': {
          json: {
            retCode: 0,
            result: {
              symbol: 'BTCUSDT',
              category: 'linear',
              list: [{ openInterest: '49102.123', timestamp: '1764000000000' }],
            },
          },
        },
      },
      ALL,
      [
        'mark 91069.31',
        'index 91105.12',
        `funding 0.0001 ${PAID}000 ${PAID + 8 * 3_600_000}000`,
        'open interest 49102.123',
      ],
    ],
    [
      'okx',
      {
        'public/funding-rate': {
          json: {
            code: '0',
            data: [
              {
                instId: 'BTC-USDT-SWAP',
                instType: 'SWAP',
                fundingRate: '0.0000485978943021',
                fundingTime: String(PAID),
                nextFundingRate: '',
                nextFundingTime: String(PAID + 4 * 3_600_000),
              },
            ],
          },
        },
        'public/mark-price': {
          json: {
            code: '0',
            data: [{ instType: 'SWAP', instId: 'BTC-USDT-SWAP', markPx: '91069.3', ts: '1764000000000' }], // prettier-ignore
          },
        },
        'market/ticker': { json: { code: '0', data: [{ instId: 'BTC-USDT-SWAP', last: '91066', ts: '1764000000000' }] } }, // prettier-ignore
        'public/open-interest': {
          json: {
            code: '0',
            data: [{ instId: 'BTC-USDT-SWAP', instType: 'SWAP', oi: '2978123.45', oiCcy: '29781.2345', ts: '1764000000000' }], // prettier-ignore
          },
        },
      },
      MARKED | FUNDED | OPENED,
      [
        'mark 91069.3',
        `funding 0.0000485978943021 ${PAID}000 ${PAID + 4 * 3_600_000}000`,
        // Of contracts, each 0.01 BTC.
        'open interest 2978123.45',
      ],
    ],
  ];

describe('what an exchange reports of a contract', () => {
  test.each(ANSWERS)(
    'is found out, and comes digit by digit (%s)',
    async (id, answers, bits, expected) => {
      const { market, instrument, warned } = await marketOf(id, answers);
      expect(market.contents(instrument.symbol).derivatives).toBe(bits);
      expect(warned).toEqual(
        id === 'okx' ? [expect.stringContaining('okx does not report the index price of BTC/USDT:USDT through ccxt; on paper it is modelled')] : [], // prettier-ignore
      );
      const listener = listening(instrument);
      const wanted = { instrument, trades: false, book: 'none', derivatives: true } as const;
      await market.open([wanted], listener);
      await vi.waitFor(() => expect([...listener.told].sort()).toEqual([...expected].sort()));
      await market.close();
    },
  );

  test('is requested again, and emitted where it has changed', async () => {
    const [, answers] = ANSWERS[0] ?? [];
    const { market, instrument, scheduler } = await marketOf('binance', answers ?? {});
    const listener = listening(instrument);
    await market.open([{ instrument, trades: false, book: 'none', derivatives: true }], listener);
    await vi.waitFor(() => expect(listener.told).toHaveLength(4));
    listener.told.length = 0;
    const record = (answers?.['fapi/v1/premiumIndex'] as { json: Record<string, unknown> }).json;
    record.lastFundingRate = '0.00000001';
    scheduler.advanceTo(micros(NOW + 1_000_000));
    await vi.waitFor(() => expect(listener.told).toHaveLength(3));
    expect(listener.told).toEqual([
      'mark 91069.3',
      'index 91105.12345678',
      `funding 0.00000001 ${PAID}000 0`,
    ]);
    await market.close();
  });

  test('has the time of the clock where an exchange pays each hour (hyperliquid)', async () => {
    const { market, instrument, warned } = await marketOf('hyperliquid', {});
    expect(market.contents(instrument.symbol).derivatives).toBe(ALL);
    expect(warned).toEqual([]);
    const listener = listening(instrument);
    await market.open([{ instrument, trades: false, book: 'none', derivatives: true }], listener);
    await vi.waitFor(() => expect(listener.told).toHaveLength(4));
    const [, rate, at, nextAt] = listener.told.find((one) => one.startsWith('f'))?.split(' ') ?? [];
    expect([rate, Number(nextAt) - Number(at)]).toEqual(['0.0000125', 3_600_000_000]);
    expect(listener.told).toContain('open interest 27632.81236');
    await market.close();
  });

  test('leaves lots what they are where contracts are traded in their base currency', async () => {
    const [, answers = {}] = ANSWERS.find(([id]) => id === 'okx') ?? [];
    const levels = { bids: [['91066.0', '1', '0', '1']], asks: [['91066.1', '523.45', '0', '3']] };
    const json = { code: '0', data: [{ ...levels, ts: '1764000000000' }] };
    const { market, instrument: contract } = await marketOf('okx', { ...answers, 'market/books': { json } }); // prettier-ignore
    const instrument = new Instrument(tradedTerms(contract.terms, undefined));
    expect([contract, instrument].map((one) => one.quantityIncrement.toFixed())).toEqual(['0.01', '0.0001']); // prettier-ignore
    const asks: number[] = [];
    const wanted = { instrument, trades: false, book: 'full' } as const;
    await market.open([wanted], {
      connectionState: () => undefined,
      rows: (_, { length, kind, flags, size }) => {
        for (let row = 0; row < length; row += 1) {
          if (kind[row] === LEVEL && ((flags[row] ?? 0) & SELL) !== 0) asks.push(size[row] ?? 0);
        }
      },
    });
    await vi.waitFor(() => expect(asks).toEqual([52_345]));
    await market.close();
  });

  test('is modelled where the time of the payment is missing or over, which is said', async () => {
    const record = { symbol: 'BTCUSDT', lastFundingRate: '0.0001', time: 1_764_000_000_000 };
    for (const nextFundingTime of [0, 1_763_971_200_000]) {
      const json = { ...record, nextFundingTime };
      const { market, instrument, warned } = await marketOf('binance', {
        'fapi/v1/premiumIndex': { json },
      });
      expect(market.contents(instrument.symbol).derivatives).toBe(0);
      expect(warned).toEqual([
        expect.stringMatching(/the mark price, the index price, the funding rate with its time of/), // prettier-ignore
      ]);
      await market.close();
    }
  });
});

describe('the market of a contract by ccxt', () => {
  let venue: TrialVenue;
  beforeAll(async () => {
    venue = await openTrialVenue('margin');
  });
  afterAll(async () => {
    await venue.close();
  });

  test('has mark, index and funding as its venue reports them, beside book and trades', async () => {
    const scheduler = new SystemScheduler();
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
    const module = hitbtcAt(`127.0.0.1:${venue.port}`, 'bot', ['ETH/USDT:USDT']);
    const made = await madeGateway(module, { scheduler, random: systemRandom(), log });
    const [instrument] = (await made.instruments?.()) ?? [];
    if (instrument === undefined) throw new Error('no instrument');
    expect(made.market.contents?.('ETH/USDT:USDT')?.derivatives).toBe(MARKED | INDEXED | FUNDED);
    const listener = listening(instrument);
    let trades = 0;
    const wanted = { instrument, trades: true, book: 'full', derivatives: true } as const;
    await made.market.open([wanted], {
      ...listener,
      rows: (index, columns) => {
        trades += columns.kind.subarray(0, columns.length).filter((kind) => kind === TRADE).length;
        listener.rows(index, columns);
      },
    });
    await vi.waitUntil(() => trades > 0 && listener.told.some((one) => one.startsWith('funding')), PATIENCE); // prettier-ignore
    const info = await venue.client.rest.getFuturesInfo({ symbol: 'ETHUSDT_PERP' });
    const { next_funding_time: at, funding_rate: rate } = info;
    expect(listener.told).toContain(`funding ${String(rate?.toFixed())} ${String(at)} 0`);
    const mark = listener.told.find((one) => one.startsWith('mark'));
    expect(Math.abs(Number(mark?.slice(5)) - 3_000)).toBeLessThan(300);
    await made.market.close();
    await made.close?.();
  });
});
