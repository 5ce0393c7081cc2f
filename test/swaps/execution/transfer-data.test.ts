import { describe, expect, test } from 'vitest';
import { decimal } from '../../../src/model/decimal.ts';
import { micros } from '../../../src/platform/time.ts';
import type { Offer } from '../../../src/swaps/execution/transfer-route.ts';
import { applyChange, openTransfer, requote } from '../../../src/swaps/execution/transfer.ts';

const offer = (terms: Offer['terms']): Offer => ({
  route: 'one',
  kind: 'swap',
  from: { asset: 'USDC', location: 'here' },
  to: { asset: 'USDC', location: 'there' },
  send: decimal('5'),
  least: decimal('4'),
  expected: decimal('4'),
  expiresAt: micros(9),
  durationUs: 1,
  terms,
});
const planned = { id: '1', offer: offer({ quote: 'q' }), least: decimal('4'), after: [] };
const transfer = openTransfer({ id: 'plan' }, planned, micros(1), 5);

describe('what a service says of a transfer', () => {
  test.each([
    ['\u001b[2Jid', 'holds characters that cannot be seen'],
    ['line\nline', 'holds characters that cannot be seen'],
    ['\u202e0x', 'holds characters that cannot be seen'],
    ['a'.repeat(65_537), 'is longer than 65536 characters'],
  ])('is not kept where it is no id, address or hash', (intent, what) => {
    const sentence = `What the service gave as "intent" of a transfer ${what}; it is not kept.`;
    const words = { code: 'answer-invalid', field: 'intent', message: sentence };
    const change = { state: 'created', data: { intent } } as const;
    expect(() => applyChange(transfer, change, micros(2))).toThrow(expect.objectContaining(words));
    expect(() => requote(transfer, offer({ intent }), micros(2))).toThrow(
      expect.objectContaining(words),
    );
  });

  test('is kept as it is otherwise', () => {
    const data = { intent: '0xAb-1', toSign: '{"psbt":"70736274"}', deadline: 5, none: null };
    expect(applyChange(transfer, { state: 'created', data }, micros(2)).data).toEqual({ quote: 'q', ...data }); // prettier-ignore
  });

  test('as a reason is made one plain line', () => {
    const reason = `no\r\n\u001b[1m${'!'.repeat(5_000)}`;
    const { reason: kept = '' } = applyChange(transfer, { state: 'failed', reason }, micros(2));
    expect(kept).toMatch(/^no \\u001b\[1m!+…$/);
    expect(kept).toHaveLength(401);
  });
});
