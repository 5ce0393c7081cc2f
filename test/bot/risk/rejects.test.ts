import { expect, test } from 'vitest';
import { countsAsReject } from '../../../src/bot/risk/rejects.ts';
import type { RejectionCode } from '../../../src/model/rejections.ts';
import type { RejectReport } from '../../../src/model/report.ts';
import { micros } from '../../../src/platform/time.ts';

const counts = (request: RejectReport['request'], code: RejectionCode): boolean =>
  countsAsReject({
    kind: 'rejected',
    at: micros(0),
    request,
    clientOrderId: 'order-one',
    symbol: 'BTCUSDT',
    rejection: { code, message: 'Why.' },
  });

test.each(['venue-unreachable', 'venue-unavailable', 'order-lost'] as const)(
  '%s is no word of the venue on the request',
  (code) => {
    expect(counts('place', code)).toBe(false);
    expect(counts('cancel', code)).toBe(false);
  },
);

test('a cancel or a replacement of an order that has ended lost a race', () => {
  expect(counts('cancel', 'order-unknown')).toBe(false);
  expect(counts('replace', 'order-unknown')).toBe(false);
});

test('what the venue says no to counts', () => {
  expect(counts('place', 'funds-insufficient')).toBe(true);
  expect(counts('cancel', 'venue-refused')).toBe(true);
  expect(counts('replace', 'order-unchanged')).toBe(true);
});
