import { createHash } from 'node:crypto';
import { Amount } from '../../src/model/amount.ts';
import { Mark } from '../../src/backtest/metrics/mark.ts';
import { InstrumentState } from '../../src/model/instrument-state.ts';
import { OrderMetrics } from '../../src/backtest/metrics/orders.ts';
import { Performance } from '../../src/backtest/metrics/performance.ts';
import { Valuation } from '../../src/backtest/metrics/valuation.ts';
import { seriesOf } from '../../src/backtest/metrics/series.ts';
import { RESULT_FORMAT, type BacktestResult } from '../../src/backtest/result.ts';
import { Decimal, ZERO } from '../../src/model/decimal.ts';
import { eventColumns, TRADE } from '../../src/model/events.ts';
import { Instrument } from '../../src/model/instrument.ts';
import { lots, ticks } from '../../src/model/units.ts';
import { Random } from '../../src/platform/random.ts';
import { isoTime, micros, US_PER_MINUTE } from '../../src/platform/time.ts';

const START = micros(Date.UTC(2024, 7, 8) * 1_000);

/** A result as a run of two days might give it, from a walk of prices and a trader with no idea. */
export function walkedResult(
  options: { seed?: number; minutes?: number; rows?: number } = {},
): BacktestResult {
  const { seed = 7, minutes = 2_880, rows = 10_000 } = options;
  const random = new Random(seed);
  const instrument = new Instrument({
    symbol: 'BTCUSDT',
    type: 'spot',
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    tickSize: '0.01',
    quantityIncrement: '0.00001',
    takeRate: '0.001',
    makeRate: '0.0005',
    feeCurrency: 'USDT',
  });
  const mark = new Mark(new InstrumentState(instrument));
  const balances = new Map([['USDT', new Decimal(10_000)]]);
  const performance = new Performance([mark], new Valuation([mark], 'USDT'), balances, {
    points: 2_000,
    rows,
    plots: 16,
  });
  const columns = eventColumns(1);
  columns.kind[0] = TRADE;
  let price = 6_150_000;
  let held = 0;
  let average = price;
  let quoteHeld = new Decimal(10_000);
  let order = 0;
  for (let minute = 0; minute <= minutes; minute += 1) {
    const at = micros(START + minute * US_PER_MINUTE);
    for (let trade = 0; trade < 6; trade += 1) {
      price += Math.round(900 * random.normal());
      columns.price[0] = price;
      mark.observe(columns, 0);
    }
    average += (price - average) / 60;
    if (random.chance(held > 0 ? 0.04 : 0.02)) {
      const buy = held === 0;
      const size = buy ? random.integer(2_000, 9_000) : held;
      const value = instrument.value(ticks(price), lots(size));
      const fee = value.times('0.001');
      held += buy ? size : -size;
      quoteHeld = (buy ? quoteHeld.minus(value) : quoteHeld.plus(value)).minus(fee);
      performance.balance(at, 'USDT', Amount.of(quoteHeld));
      performance.balance(at, 'BTC', instrument.sizeAmount(lots(held)));
      performance.fill({
        id: (order += 1),
        clientOrderId: `walk-${String(order).padStart(6, '0')}`,
        symbol: 'BTCUSDT',
        side: buy ? 'buy' : 'sell',
        ticks: ticks(price),
        lots: lots(size),
        fee: Amount.of(fee),
        feeCurrency: 'USDT',
        taker: true,
        at,
      });
    }
    performance.plot('mean of an hour', average / 100);
    performance.plot('distance', (price - average) / 100);
    performance.sample(at, minute > 0);
  }
  const till = micros(START + minutes * US_PER_MINUTE);
  const metrics = performance.finish(till, minutes * 6, US_PER_MINUTE);
  return {
    format: RESULT_FORMAT,
    hash: createHash('sha256').update(String(seed)).digest('hex'),
    strategy: {
      name: 'walk',
      summary: 'Buys and sells whenever a coin says so; a yardstick for the page, not a strategy.',
      parameters: { symbol: 'BTCUSDT', note: '</script><b>"quoted" & \u2028 odd</b>', fast: 12 },
    },
    recordings: [
      {
        name: 'walk.arrow',
        fingerprint: createHash('sha256').update('walk').digest('hex'),
        symbol: 'BTCUSDT',
        layout: 'events',
        rows: minutes * 6,
        trades: minutes * 6,
        quotes: 0,
        levels: 0,
        gaps: 0,
        candles: 0,
        from: isoTime(START),
        till: isoTime(till),
        synthetic: true,
        importer: 'generator',
        notes: [],
        quality: [],
      },
    ],
    instruments: [instrument.terms],
    plan: {
      from: isoTime(START),
      tradingFrom: isoTime(START),
      till: isoTime(till),
      balances: { USDT: '10000' },
      orderLatencyUs: 20_000,
      reportLatencyUs: 20_000,
      seed,
      equityCurrency: 'USDT',
      sampleUs: US_PER_MINUTE,
    },
    assumptions: [
      'Orders reach the venue 20 ms after the strategy decided.',
      'Nobody reacts to the orders.',
    ],
    warnings: ['The run is shorter than 30 days: figures per year mean little.'],
    metrics,
    orders: new OrderMetrics().statistics(),
    balances: [
      { currency: 'USDT', start: '10000', end: quoteHeld.toFixed(), value: quoteHeld.toFixed() },
      {
        currency: 'BTC',
        start: ZERO.toFixed(),
        end: instrument.size(lots(held)).toFixed(),
        value: null,
      },
    ],
    series: seriesOf(performance, [mark], US_PER_MINUTE),
    orderHistory: { total: 0, rows: [] },
    fills: performance.fills,
    trades: performance.trades.rows,
    logs: { total: 0, rows: [] },
  };
}
