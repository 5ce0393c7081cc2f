import fc from 'fast-check';

/** What may happen to a bank; each kind reads the fields that it needs. */
const KINDS = [
  ...['credit', 'receive', 'receive', 'confirm', 'confirm', 'dismiss'],
  ...['transfer', 'transfer', 'transfer', 'transfer'],
  ...['withdraw', 'withdraw', 'withdraw', 'withdraw', 'withdraw'],
  ...['commit', 'commit', 'rollback', 'settle', 'settle', 'settle'],
  ...['internal', 'convert', 'lock', 'unlock', 'wait', 'wait'],
  ...['toSub', 'up', 'across', 'permit', 'permit', 'freeze', 'disable', 'activate', 'activate'],
  ...['rest', 'rest', 'trade', 'trade', 'cancelAll'],
] as const;

const MINUTE = 60_000_000;

export const bankingStep = fc.record({
  kind: fc.constantFrom(...KINDS),
  account: fc.nat({ max: 3 }),
  other: fc.nat({ max: 3 }),
  currency: fc.constantFrom('BTC', 'USDT', 'XRP'),
  to: fc.constantFrom('BTC', 'USDT', 'XRP'),
  amount: fc.constantFrom(
    ...['0', '-1', '0.0000000000001', '0.0000123', '0.001', '0.5', '1', '2.5'],
    ...['7', '20', '40', '100', '400', '501'],
  ),
  source: fc.constantFrom('wallet' as const, 'spot' as const, 'derivatives' as const),
  destination: fc.constantFrom('wallet' as const, 'spot' as const, 'derivatives' as const),
  target: fc.constantFrom('outside' as const, 'bad' as const, 'other' as const, 'other' as const),
  offchain: fc.constantFrom('never' as const, 'optionally' as const, 'required' as const),
  first: fc.boolean(),
  second: fc.boolean(),
  pick: fc.nat({ max: 30 }),
  count: fc.nat({ max: 4 }),
  subs: fc.constantFrom([1], [2], [1, 2], [1], [2], [3], []),
  us: fc.constantFrom(0, 1, MINUTE, 30 * MINUTE, 60 * MINUTE - 1, 60 * MINUTE, 24 * 60 * MINUTE),
});

export type BankingStep = typeof bankingStep extends fc.Arbitrary<infer T> ? T : never;
