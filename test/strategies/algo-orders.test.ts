import { expect, test } from 'vitest';
import { replay, type AuditEvent } from 'millrace/testing';
import algoOrders from '../../strategies/algo-orders.ts';

const KINDS = ['twap', 'vwap', 'iceberg', 'dca', 'grid'] as const;

test.each(KINDS)('works a %s on the exchange, and what it says is what was filled', (kind) => {
  const events: AuditEvent[] = [];
  const prices = Array.from({ length: 90 }, (_, minute) => 100 + ((minute * 7) % 11) / 5);
  replay(
    algoOrders,
    { kind, quantity: '0.01', minutes: 20, slices: 5, levels: 5, value: '1' },
    { fills: 'exchange', balances: { USDT: '100000', BTC: '1' }, audit: (one) => events.push(one) },
  ).trades(
    prices.flatMap((price, minute) => {
      const at = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`; // prettier-ignore
      return [
        [`${at}:00`, price.toFixed(2), '1', 'buy'],
        [`${at}:30`, (price - 1).toFixed(2), '1', 'sell'],
      ] as const;
    }),
  );
  const told = events.flatMap((event) => (event.kind === 'algo-order' ? [event.order] : [])).at(-1);
  const filled = { buy: 0, sell: 0 };
  for (const event of events) {
    if (event.kind !== 'report' || event.report.kind !== 'trade') continue;
    filled[event.report.fill.side] += event.report.fill.lots;
  }
  expect(told).toMatchObject({ bought: { lots: filled.buy }, sold: { lots: filled.sell } });
  expect(filled.buy).toBeGreaterThan(0);
  if (kind === 'twap' || kind === 'iceberg') expect(filled.buy).toBe(1_000);
  if (kind === 'grid') expect(filled.sell).toBeGreaterThan(0);
});
