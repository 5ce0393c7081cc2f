import { describe, expect, test } from 'vitest';
import { Amount } from '../../../src/model/amount.ts';
import { Equity } from '../../../src/backtest/metrics/equity.ts';
import { Mark } from '../../../src/backtest/metrics/mark.ts';
import { InstrumentState } from '../../../src/model/instrument-state.ts';
import { RoundTrips, type RoundTrip } from '../../../src/backtest/metrics/round-trips.ts';
import { TradeMetrics } from '../../../src/backtest/metrics/trades.ts';
import { Decimal } from '../../../src/model/decimal.ts';
import { eventColumns, TRADE } from '../../../src/model/events.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { lots, ticks } from '../../../src/model/units.ts';
import { micros, US_PER_DAY } from '../../../src/platform/time.ts';

/** Returns of 10 %, −10 %, 10 % and 0: mean 2.5 %, sample deviation √(0.0275 ÷ 3), downside √(0.01 ÷ 4). */
const equityExample = `{
  "equity": ["1000", "1100", "990", "1089", "1089"],
  "sampleDays": 1,
  "expected": {
    "profit": "89",
    "totalReturn": 0.089,
    "annualReturn": 2391.181,
    "returns": 4,
    "volatility": 1.8291619,
    "sharpe": 4.9886234,
    "sortino": 9.5524866,
    "maxAmount": "110",
    "maxRatio": 0.1,
    "longestDays": 3,
    "calmar": 23911.81
  }
}`;

/** A buys 4 lots in two fills; B sells 3 of them, C the last and 2 more. A tick times a lot is 0.05. */
const tripsExample = `{
  "steps": [
    { "order": "A", "side": "buy", "ticks": 100, "lots": 3, "fee": "0.015" },
    { "order": "A", "side": "buy", "ticks": 102, "lots": 1, "fee": "0.0051" },
    { "trade": 96 },
    { "trade": 110 },
    { "order": "B", "side": "sell", "ticks": 108, "lots": 3, "fee": "0.0162" },
    { "trade": 104 },
    { "order": "C", "side": "sell", "ticks": 101, "lots": 3, "fee": "0.01515" },
    { "trade": 99 }
  ],
  "expected": {
    "trips": [
      {
        "side": "long",
        "lots": 3,
        "gross": "1.2",
        "fees": "0.0312",
        "net": "1.1688",
        "mae": "-0.6",
        "mfe": "1.5"
      },
      {
        "side": "long",
        "lots": 1,
        "gross": "-0.05",
        "fees": "0.01015",
        "net": "-0.06015",
        "mae": "-0.3",
        "mfe": "0.4"
      }
    ],
    "winRate": 0.5,
    "grossProfit": "1.1688",
    "grossLoss": "0.06015",
    "profitFactor": 19.431421,
    "expectancy": "0.554325",
    "unrealized": "0.1899"
  }
}`;

/** Compares with as many significant digits as the example has. */
const near = (actual: number | null, printed: number): void => {
  const digits = String(printed).replace(/[^\d]/g, '').replace(/^0+/, '').length;
  expect(Number(actual?.toPrecision(digits))).toBe(printed);
};

interface EquityExample {
  readonly equity: readonly string[];
  readonly sampleDays: number;
  readonly expected: {
    readonly profit: string;
    readonly totalReturn: number;
    readonly annualReturn: number;
    readonly returns: number;
    readonly volatility: number;
    readonly sharpe: number;
    readonly sortino: number;
    readonly maxAmount: string;
    readonly maxRatio: number;
    readonly longestDays: number;
    readonly calmar: number;
  };
}

interface TripsExample {
  readonly steps: readonly {
    readonly trade?: number;
    readonly order: string;
    readonly side: 'buy' | 'sell';
    readonly ticks: number;
    readonly lots: number;
    readonly fee: string;
  }[];
  readonly expected: {
    readonly trips: readonly Readonly<Record<string, string | number>>[];
    readonly winRate: number;
    readonly grossProfit: string;
    readonly grossLoss: string;
    readonly profitFactor: number;
    readonly expectancy: string;
    readonly unrealized: string;
  };
}

describe('the formulas of docs/metrics.md, worked out', () => {
  test('equity gives the ratios that were worked out by hand', () => {
    const { equity: values, sampleDays, expected } = JSON.parse(equityExample) as EquityExample;
    const periodUs = sampleDays * US_PER_DAY;
    const equity = new Equity();
    values.forEach((value, day) => {
      equity.sample(micros(day * periodUs), Amount.of(new Decimal(value)), day > 0);
    });
    const ratios = equity.ratios(periodUs, (values.length - 1) * periodUs);
    expect(equity.profit.toFixed()).toBe(expected.profit);
    near(ratios.totalReturn, expected.totalReturn);
    near(ratios.annualReturn, expected.annualReturn);
    expect(ratios.returns).toBe(expected.returns);
    near(ratios.volatility, expected.volatility);
    near(ratios.sharpe, expected.sharpe);
    near(ratios.sortino, expected.sortino);
    near(ratios.calmar, expected.calmar);
    expect(equity.drawdown.maxAmount.toFixed()).toBe(expected.maxAmount);
    near(equity.drawdown.maxRatio, expected.maxRatio);
    expect(equity.drawdown.longestUs).toBe(expected.longestDays * US_PER_DAY);
  });

  test('fills give the round trips that were worked out by hand', () => {
    const { steps, expected } = JSON.parse(tripsExample) as TripsExample;
    const mark = new Mark(
      new InstrumentState(
        new Instrument({
          symbol: 'AB',
          type: 'spot',
          baseCurrency: 'A',
          quoteCurrency: 'B',
          tickSize: '0.5',
          quantityIncrement: '0.1',
          takeRate: '0.001',
          makeRate: '0.001',
          feeCurrency: 'B',
        }),
      ),
    );
    const columns = eventColumns(1);
    columns.kind[0] = TRADE;
    const closed: RoundTrip[] = [];
    const trades = new TradeMetrics(10);
    const trips = new RoundTrips(mark, {
      nextIndex: () => trades.nextIndex(),
      rate: () => Amount.count(1),
      closed: (trip) => {
        closed.push(trip);
        trades.add(trip);
      },
    });
    steps.forEach((step, id) => {
      if (step.trade !== undefined) {
        columns.price[0] = step.trade;
        mark.observe(columns, 0);
        return;
      }
      trips.fill({
        id,
        clientOrderId: step.order,
        symbol: 'AB',
        side: step.side,
        ticks: ticks(step.ticks),
        lots: lots(step.lots),
        fee: Amount.of(new Decimal(step.fee)),
        feeCurrency: 'B',
        taker: true,
        at: micros(id),
      });
    });
    trips.finish();
    const reported = closed.map(({ side, lots: size, gross, fees, net, mae, mfe }) => ({
      side,
      lots: size,
      gross: gross.toFixed(),
      fees: fees.toFixed(),
      net: net.toFixed(),
      mae: mae.toFixed(),
      mfe: mfe.toFixed(),
    }));
    expect(reported).toEqual(expected.trips);
    const statistics = trades.statistics(trips.unrealized());
    expect(statistics.winRate).toBe(expected.winRate);
    expect(statistics.grossProfit).toBe(expected.grossProfit);
    expect(statistics.grossLoss).toBe(expected.grossLoss);
    near(statistics.profitFactor, expected.profitFactor);
    expect(statistics.expectancy).toBe(expected.expectancy);
    expect(statistics.unrealized).toBe(expected.unrealized);
  });
});
