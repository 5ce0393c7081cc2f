import { Decimal as DecimalJs } from 'decimal.js';
import fc from 'fast-check';

/**
 * decimal.js configured apart from the product's module and far wider, so that formulas written
 * with it are a second opinion.
 */
export const Exact = DecimalJs.clone({ precision: 1000, toExpNeg: -9e15, toExpPos: 9e15 });

/** Decimal texts that a reader must refuse though decimal.js or Number would take many of them. */
export const NOT_DECIMALS: readonly string[] = [
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '\t1',
  '+',
  '-',
  '.',
  '.5',
  '5.',
  '1..2',
  '1.2.3',
  '1,5',
  '1_000',
  '0x10',
  '0X1F',
  '0b101',
  '0o17',
  'Infinity',
  '-Infinity',
  'infinity',
  'NaN',
  'null',
  'undefined',
  '1n',
  '--1',
  '+-1',
  '1e',
  '1e+',
  'e5',
  '1e1.5',
  '1e999',
  '1e-999',
  '1e41',
  '1e40',
  '9.99e40',
  '1e-41',
  '0.1e-40',
  '١٢',
  '１２',
  '1' + '0'.repeat(40),
  '0.' + '0'.repeat(40) + '1',
  '9'.repeat(100_000),
];

/** Digits without a useless leading zero. */
const digits = (lengthMax: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min: 1, max: lengthMax }), fc.bigInt({ min: 0n, max: 10n ** 40n - 1n }))
    .map(([length, value]) => String(value % 10n ** BigInt(length)));

/** Positive or zero decimal texts from 1e-40 to below 1e40, plain or with an exponent. */
export const unsignedText: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(digits(40), digits(40)).map(([whole, part]) => `${whole}.${part}`),
  fc.tuple(digits(18), digits(18)).map(([whole, part]) => `${whole}.${part}`),
  digits(16),
  fc.tuple(digits(2), fc.integer({ min: -38, max: 37 })).map(([whole, e]) => `${whole}e${e}`),
  fc.constantFrom('0', '0.0', '1e-18', '1E15', '1e+15', '1e-40', '9.99e39', '000001.100'),
);

export const signedText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', '-', '+'), unsignedText)
  .map(([sign, text]) => sign + text);

/** Sizes of grid steps: powers of ten from 1e-18 up, and steps such as 0.25 or 0.03. */
export const stepText: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: -18, max: 3 }).map((e) => `1e${e}`),
  fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: -18, max: 0 }))
    .map(([n, e]) => `${n}e${e}`),
);

/** Fee rates, rebates among them, down to 1e-18. */
export const rateText: fc.Arbitrary<string> = fc
  .tuple(fc.integer({ min: -9_999, max: 9_999 }), fc.integer({ min: 4, max: 18 }))
  .map(([n, e]) => `${n}e-${e}`);

/** Whole numbers up to 2^53 - 1 that come near every size, not only the largest. */
export const count: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: 1000 }),
  fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  fc.maxSafeNat(),
  fc.constantFrom(1e15, Number.MAX_SAFE_INTEGER),
);
