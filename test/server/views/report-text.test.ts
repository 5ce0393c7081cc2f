import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/model/decimal.ts';
import { CONTINGENCY_TYPES, ORDER_TYPES, TIMES_IN_FORCE } from '../../../src/model/order.ts';
import type { Lots, Ticks } from '../../../src/model/units.ts';
import { micros } from '../../../src/platform/time.ts';
import type {
  OrderRecord,
  OrderReport,
  TradeRecord,
} from '../../../src/server/trading/orders/order-record.ts';
import { numberTexts } from '../../../src/server/trading/views/order-numbers.ts';
import { orderView } from '../../../src/server/trading/views/v3/order.ts';
import { reportTexts } from '../../../src/server/trading/views/v3/report-text.ts';
import { feeText } from '../../../src/wire/trading/printing.ts';
import { marginReport } from '../../../src/wire/trading/v3/records/report.ts';
import { writerOf } from '../../../src/wire/trading/writer.ts';
import { instruments } from '../instruments.ts';

const write = writerOf(marginReport);

const name = fc.stringMatching(/^[A-Za-z0-9_-]{8,32}$/);
const perhaps = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });
const count = fc.integer({ min: 1, max: 2 ** 40 });
const ticks = count.map((value) => value as Ticks);
const lots = count.map((value) => value as Lots);
const time = fc.integer({ min: 1e15, max: 2e15 }).map(micros);
const instrument = fc.constantFrom(...instruments());
const mode = fc.constantFrom('isolated' as const, 'cross' as const);

const order: fc.Arbitrary<OrderRecord> = fc
  .record({
    id: count,
    account: count,
    instrument,
    clientOrderId: name,
    originalClientOrderId: perhaps(name),
    market: fc.constantFrom('spot' as const, 'margin' as const, 'futures' as const),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    type: fc.constantFrom(...ORDER_TYPES),
    timeInForce: fc.constantFrom(...TIMES_IN_FORCE),
    status: fc.constantFrom('new' as const, 'partiallyFilled' as const, 'expired' as const),
    lots,
    filledLots: fc.oneof(fc.constant(0 as Lots), lots),
    filledValue: fc.bigInt({ min: 0n, max: 2n ** 90n }),
    ticks: perhaps(ticks),
    stopTicks: perhaps(ticks),
    expireAt: perhaps(time),
    postOnly: fc.boolean(),
    orderListId: perhaps(name),
    contingencyType: perhaps(fc.constantFrom(...CONTINGENCY_TYPES)),
    inactive: perhaps(fc.constant(true as const)),
    createdAt: time,
    updatedAt: time,
    margin: perhaps(
      fc.record(
        { mode, reduceOnly: fc.boolean(), closePosition: fc.boolean(), positionId: count },
        { requiredKeys: ['mode', 'reduceOnly', 'closePosition'] },
      ),
    ),
  })
  .map((members) => ({ ...members, symbol: members.instrument.symbol }));

const fee = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 16 }))
  .map(([units, places]) => new Decimal(units).div(new Decimal(10).pow(places)));

const report: fc.Arbitrary<OrderReport> = order.chain(
  (record) =>
    fc.record({
      kind: fc.constantFrom('new' as const, 'trade' as const, 'status' as const),
      at: time,
      order: fc.constant(record),
      trade: perhaps(
        fc
          .record({
            id: count,
            ticks,
            lots,
            fee,
            taker: fc.boolean(),
            at: time,
            positionId: perhaps(count),
          })
          .map(
            ({ positionId, ...trade }) =>
              ({
                ...trade,
                orderId: record.id,
                clientOrderId: record.clientOrderId,
                account: record.account,
                instrument: record.instrument,
                market: record.market,
                side: record.side,
                margin:
                  positionId === undefined
                    ? undefined
                    : { mode: 'isolated', positionId, pnl: fee, fee, liquidation: false },
              }) as unknown as TradeRecord,
          ),
      ),
    }) as fc.Arbitrary<OrderReport>,
);

/** A report member by member: the order as REST shows it, and the trade beside it. */
const reportView = ({ kind, order, trade }: OrderReport) => {
  const { price, quantity } = numberTexts(order.instrument);
  const reported = trade && {
    trade_id: trade.id,
    trade_quantity: quantity(trade.lots),
    trade_price: price(trade.ticks),
    trade_fee: feeText(trade.fee),
    trade_taker: trade.taker,
    taker: trade.taker,
    ...(trade.margin && { trade_position_id: trade.margin.positionId }),
  };
  return { ...orderView(order), report_type: kind, ...reported };
};

test('a report is written in one go as its view is by the schema', () => {
  fc.assert(
    fc.property(report, (one) => {
      expect(reportTexts.text(one)).toBe(JSON.stringify(write(reportView(one))));
    }),
    { numRuns: 500, seed: 3 },
  );
});
