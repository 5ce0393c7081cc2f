import { beforeAll, describe } from 'vitest';
import { sharedVenue } from '../../../server/kit.ts';
import { openMarket } from '../kit/market.ts';
import { at } from '../kit/values.ts';
import { caseOf, check, flat, NOW, titled, type Case } from './public-case.ts';
import { eachRow } from '../../../conformance/each-row.ts';

const venue = sharedVenue();
beforeAll(() => {
  openMarket(venue());
});

const trade = (id: number, price: string, qty: string, timestamp: string) => ({
  id,
  price,
  qty,
  side: 'buy',
  timestamp: at(timestamp),
});

const BOOK = { timestamp: at('2026-01-05T10:30:03Z'), ask: [['106', '2']], bid: [['104', '3']] };

const LATER = { ...flat('2026-01-05T10:30:00Z', '105'), volume: '0.4', volume_quote: '42' };
const EARLIER = {
  timestamp: at('2026-01-05T10:00:00Z'),
  open: '100',
  close: '110.25',
  min: '90.5',
  max: '110.25',
  volume: '0.6',
  volume_quote: '60.15',
};

const MARKET_CASES: readonly Case[] = [
  caseOf(
    'get-trades',
    (rest) =>
      rest.getTrades({
        symbols: ['BTCUSDT'],
        by: 'id',
        sort: 'ASC',
        from: { kind: 'number', value: 3 },
        till: { kind: 'number', value: 6 },
        limit: 5,
      }),
    '/trades?symbols=BTCUSDT&sort=ASC&limit=5&by=id&from=3&till=6',
    {
      BTCUSDT: [
        trade(3, '110.25', '0.2', '2026-01-05T10:00:02Z'),
        trade(6, '105', '0.4', '2026-01-05T10:30:03Z'),
      ],
    },
  ),
  caseOf(
    'get-trades-symbol',
    (rest) => rest.getTradesOfSymbol({ symbol: 'BTCUSDT', offset: 3 }),
    '/trades/BTCUSDT?offset=3',
    [trade(1, '100', '0.2', '2026-01-05T10:00:00Z')],
  ),
  caseOf(
    'get-orderbooks',
    (rest) => rest.getOrderBooks({ symbols: ['BTCUSDT'], depth: 1 }),
    '/orderbook?symbols=BTCUSDT&depth=1',
    { BTCUSDT: BOOK },
  ),
  caseOf(
    'get-orderbook',
    (rest) => rest.getOrderBook({ symbol: 'BTCUSDT', depth: 0 }),
    '/orderbook/BTCUSDT?depth=0',
    { ...BOOK, ask: [...BOOK.ask, ['107', '1']], bid: [...BOOK.bid, ['103', '1']] },
  ),
  caseOf(
    'orderbook-volume',
    (rest) => rest.getOrderBook({ symbol: 'BTCUSDT', volume: '3' }),
    '/orderbook/BTCUSDT?volume=3',
    {
      ...BOOK,
      ask: [...BOOK.ask, ['107', '1']],
      ask_average_price: '106.33',
      bid_average_price: '104',
    },
  ),
];

const CANDLE_CASES: readonly Case[] = [
  caseOf(
    'get-candles',
    (rest) =>
      rest.getCandles({
        symbols: ['BTCUSDT'],
        period: 'M30',
        sort: 'ASC',
        from: at('2026-01-05T10:00:00Z'),
        till: at('2026-01-05T11:00:00Z'),
        limit: 2,
      }),
    '/candles?symbols=BTCUSDT&period=M30&sort=ASC&from=2026-01-05T10%3A00%3A00Z&till=2026-01-05T11%3A00%3A00Z&limit=2',
    { BTCUSDT: [EARLIER, LATER] },
  ),
  caseOf(
    'get-candles-symbol',
    (rest) => rest.getCandlesOfSymbol({ symbol: 'BTCUSDT', offset: 1, limit: 1 }),
    '/candles/BTCUSDT?limit=1&offset=1',
    [EARLIER],
  ),
  caseOf(
    'get-converted-candles',
    (rest) => rest.getConvertedCandles({ symbols: ['BTCUSDT'], target_currency: 'USDT' }),
    '/converted/candles?symbols=BTCUSDT&target_currency=USDT',
    { target_currency: 'USDT', data: { BTCUSDT: [LATER, EARLIER] } },
  ),
  caseOf(
    'get-converted-candles-symbol',
    (rest) => rest.getConvertedCandlesOfSymbol({ symbol: 'BTCUSDT', target_currency: 'USDT' }),
    '/converted/candles/BTCUSDT?target_currency=USDT',
    { target_currency: 'USDT', data: [LATER, EARLIER] },
  ),
];

const PERP = 'ETHUSDT_PERP';

const INFO = {
  contract_type: 'perpetual',
  mark_price: '2005',
  index_price: '2000',
  funding_rate: '0.0025',
  open_interest: '1.5',
  next_funding_time: at('2026-01-06T00:00:00Z'),
  indicative_funding_rate: '0.0025',
  premium_index: '0.003',
  avg_premium_index: '0.003',
  interest_rate: '0.0001',
  timestamp: NOW,
};

const FUNDING = {
  timestamp: at('2026-01-05T16:00:00Z'),
  funding_rate: '0.0001',
  avg_premium_index: '0',
  next_funding_time: at('2026-01-06T00:00:00Z'),
  interest_rate: '0.0001',
};

const CONTRACT_CASES: readonly Case[] = [
  caseOf(
    'get-futures-info',
    (rest) => rest.getFuturesInfos({ symbols: [PERP] }),
    `/futures/info?symbols=${PERP}`,
    { [PERP]: INFO },
  ),
  caseOf(
    'get-futures-info-symbol',
    (rest) => rest.getFuturesInfo({ symbol: PERP }),
    `/futures/info/${PERP}`,
    INFO,
  ),
  caseOf('get-funding-history', (rest) => rest.getFundings(), '/futures/history/funding', {
    [PERP]: [FUNDING],
  }),
  caseOf(
    'get-funding-history-symbol',
    (rest) =>
      rest.getFundingsOfSymbol({
        symbol: PERP,
        sort: 'ASC',
        from: at('2026-01-05T00:00:00Z'),
        till: at('2026-01-06T00:00:00Z'),
        limit: 5,
        offset: 0,
      }),
    `/futures/history/funding/${PERP}?sort=ASC&from=2026-01-05T00%3A00%3A00Z&till=2026-01-06T00%3A00%3A00Z&limit=5&offset=0`,
    [FUNDING],
  ),
];

const SERIES = [
  ['index-price', 'getIndexPriceCandles', 'index_price', '2000'],
  ['mark-price', 'getMarkPriceCandles', 'mark_price', '2005'],
  ['premium-index', 'getPremiumIndexCandles', 'premium_index', '0.003'],
  ['open-interest', 'getOpenInterestCandles', 'open_interest', '1.5'],
] as const;

const SERIES_CASES: readonly Case[] = SERIES.flatMap(([row, name, path, value]) => {
  const candle = flat('2026-01-05T16:00:00Z', value);
  const ofAll = row === 'premium-index' ? `get-${row}-candles-list` : `get-${row}-candles`;
  const ofOne = row === 'premium-index' ? `get-${row}-candles` : `get-${row}-candles-symbol`;
  return [
    caseOf(
      ofAll,
      (rest) => rest[name]({ symbols: [PERP], limit: 1 }),
      `/futures/candles/${path}?symbols=${PERP}&limit=1`,
      { [PERP]: [candle] },
    ),
    caseOf(
      ofOne,
      (rest) => rest[`${name}OfSymbol`]({ symbol: PERP, limit: 1 }),
      `/futures/candles/${path}/${PERP}?limit=1`,
      [candle],
    ),
  ];
});

describe('trades, books, candles and contracts', () => {
  eachRow('', titled(MARKET_CASES))('%s', (_, one) => check(venue(), one));
  eachRow('', titled(CANDLE_CASES))('%s', (_, one) => check(venue(), one));
  eachRow('', titled(CONTRACT_CASES))('%s', (_, one) => check(venue(), one));
  eachRow('', titled(SERIES_CASES))('%s', (_, one) => check(venue(), one));
});
