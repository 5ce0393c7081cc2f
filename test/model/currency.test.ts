import { describe, expect, test } from 'vitest';
import { Currency, plainCurrency, type CurrencyTerms } from '../../src/model/currency.ts';

const TERMS = plainCurrency('BTC');
const [NETWORK] = TERMS.networks;

const withNetwork = (change: object): CurrencyTerms => ({
  ...TERMS,
  networks: [{ ...NETWORK, ...change }],
});

describe('a currency', () => {
  test('of which nothing else is said moves in 12 decimals and leaves in 8, for nothing', () => {
    const { precisionTransfer, payoutDayLimit, networks } = new Currency(TERMS);
    expect(precisionTransfer.toFixed()).toBe('0.000000000001');
    expect(payoutDayLimit).toBeUndefined();
    expect(
      networks.map((n) => [n.code, n.precisionPayout.toFixed(), n.payoutFee.toFixed()]),
    ).toEqual([['BTC', '0.00000001', '0']]);
  });

  test('has its first network by default and the others by their codes', () => {
    const currency = new Currency({
      ...TERMS,
      networks: [NETWORK, { ...NETWORK, network: 'ETH' }],
    });
    expect(currency.network()?.code).toBe('BTC');
    expect(currency.network('ETH')?.code).toBe('ETH');
    expect(currency.network('TRX')).toBeUndefined();
  });

  test.each([
    [{ ...TERMS, code: '' }, 'code', 'is empty'],
    [{ ...TERMS, networks: [] }, 'networks', 'is empty'],
    [{ ...TERMS, networks: [NETWORK, NETWORK] }, 'networks', 'names one twice'],
    [{ ...TERMS, precisionTransfer: '0' }, 'precisionTransfer', 'must be a power of ten'],
    [{ ...TERMS, precisionTransfer: '0.02' }, 'precisionTransfer', 'must be a power of ten'],
    [{ ...TERMS, precisionTransfer: '-0.1' }, 'precisionTransfer', 'must be a power of ten'],
    [{ ...TERMS, precisionTransfer: 'x' }, 'precisionTransfer', 'must be a power of ten'],
    [{ ...TERMS, payoutDayLimit: '-1' }, 'payoutDayLimit', 'must be a decimal of zero or more'],
    [withNetwork({ precisionPayout: '3' }), 'precisionPayout', 'must be a power of ten'],
    [withNetwork({ payoutFee: 'free' }), 'payoutFee', 'must be a decimal of zero or more'],
    [withNetwork({ feeLevels: [{ id: 'a', fee: '-1' }] }), 'feeLevels', 'zero or more'],
    [withNetwork({ payinConfirmations: 1.5 }), 'payinConfirmations', 'must be a whole number'],
    [withNetwork({ payinConfirmations: -1 }), 'payinConfirmations', 'must be a whole number'],
    [withNetwork({ addressRegex: '(' }), 'addressRegex', 'must be a regular expression'],
    [{ ...TERMS, shown: { explorer: 'https://x.example' } }, 'explorer', 'must have a {tx}'],
    [withNetwork({ shown: { explorer: 'https://x.example/' } }), 'explorer', 'must have a {tx}'],
    [withNetwork({ addressRegex: 'bc1.*' }), 'addressPrefix', 'which addressRegex refuses'],
  ])('with terms that contradict themselves is an error: case %#', (terms, field, why) => {
    const make = (): Currency => new Currency(terms);
    expect(make).toThrow(why);
    expect(make).toThrow(expect.objectContaining({ code: 'currency-invalid', field }));
  });

  test.each(['10', '1', '0.1', '0.000000000001'])('moves in steps of %s', (step) => {
    expect(new Currency({ ...TERMS, precisionTransfer: step }).precisionTransfer.toFixed()).toBe(
      step,
    );
  });
});

describe('a network', () => {
  const network = (change: object) => new Currency(withNetwork(change)).networks[0];

  test('takes an address that matches from end to end, and never an empty one', () => {
    const bound = network({ addressRegex: 'b[0-9]+', addressPrefix: 'b', addressLength: 6 });
    expect(['b1', 'b1x', 'xb1', ''].map((each) => bound.takesAddress(each))).toEqual([
      ...[true, false, false, false],
    ]);
    expect(['anything', ''].map((each) => network({}).takesAddress(each))).toEqual([true, false]);
  });

  test('takes a payment id where it asks for one, and none elsewhere', () => {
    const takes = (change: object) =>
      ['12', 'x', '', undefined].map((id) => network(change).takesPaymentId(id));
    expect(takes({})).toEqual([false, false, false, true]);
    expect(takes({ payoutIsPaymentId: true })).toEqual([true, true, false, false]);
    const digits = { payoutIsPaymentId: true, paymentIdRegex: '\\d+' };
    expect(takes(digits)).toEqual([true, false, false, false]);
  });

  test('numbers its addresses', () => {
    const short = network({ addressPrefix: '0x', addressLength: 8 });
    expect([short.address(1), short.address(255)]).toEqual(['0x000001', '0x0000ff']);
  });
});
