import { describe, expect, test } from 'vitest';
import { compile } from '../../../src/engine/commands/compile.ts';
import { rangeRejection, readCommand } from '../../../src/engine/commands/reading.ts';
import { decimal } from '../../../src/model/decimal.ts';
import type { Rejection } from '../../../src/model/rejections.ts';
import { COMMANDS } from '../../../src/strategy/command-schema.ts';
import type { AnyMember, AnySchema, Schema } from '../../../src/strategy/schema.ts';

const SYMBOL = { symbol: 'BTCUSDT' };
const ORDER = { ...SYMBOL, type: 'limit', side: 'buy' };
const NAMED = { ...SYMBOL, id: 'algo-0001' };
const ALGO = { ...NAMED, side: 'buy' };
const HOLDINGS = { 'USDC@ethereum': { weight: '1', band: '0' } };

/** What each kind of command must say at least. */
const LEAST: Readonly<Record<keyof typeof COMMANDS, object>> = {
  place: ORDER,
  placeList: { contingencyType: 'oneCancelOther', orders: [ORDER, ORDER] },
  replace: { clientOrderId: 'order-one' },
  cancel: { clientOrderId: 'order-one' },
  cancelAll: {},
  target: { ...SYMBOL, hold: { share: 0.5 } },
  quote: SYMBOL,
  setMargin: { ...SYMBOL, margin: 'isolated' },
  twap: { ...ALGO, over: 1_000, slices: 2 },
  vwap: { ...ALGO, over: 1_000, slices: 2 },
  iceberg: ALGO,
  grid: { ...NAMED, levels: 3 },
  dca: { ...NAMED, value: decimal('10'), max: 3 },
  rebalance: { targets: HOLDINGS, minimumValue: '0', maximumCost: '1' },
};

const KINDS = Object.entries(LEAST);

/** Why a command is refused before anything of the market or the time is known. */
function rejectionOf(kind: string, members: object): Rejection | undefined {
  const { command, rejection } = readCommand({ kind, ...members });
  return rejection ?? rangeRejection(command);
}

const MEMBERS = KINDS.flatMap(([kind, least]) => {
  const { members } = (COMMANDS as Readonly<Record<string, AnySchema>>)[kind];
  return Object.entries(members).map(([name, member]) => [kind, name, least, member] as const);
});

test.each(KINDS)('a %s that says the least that it must is read', (kind, least) => {
  expect(rejectionOf(kind, least)).toBeUndefined();
});

test.each(MEMBERS)(
  '%s: another value of %s is refused with its code',
  (kind, name, least, member) => {
    for (const value of [Symbol('x'), null, () => 5]) {
      expect(rejectionOf(kind, { ...least, [name]: value })).toMatchObject({
        code: member.code,
        field: name,
      });
    }
  },
);

test.each(MEMBERS)(
  '%s: without %s it is refused where that is required',
  (kind, name, least, member) => {
    const rejection = rejectionOf(kind, { ...least, [name]: undefined });
    const { required }: AnyMember = member;
    if (required === true) expect(rejection).toMatchObject({ code: member.code, field: name });
    else expect(rejection).toBeUndefined();
  },
);

test.each(MEMBERS.filter(([, , , { holds }]) => holds === 'text'))(
  '%s: %s takes each of its names and no other',
  (kind, name, least, member) => {
    const values = 'values' in member ? member.values : undefined;
    for (const value of values ?? ['whatever']) {
      expect(rejectionOf(kind, { ...least, [name]: value })).toBeUndefined();
    }
    if (values === undefined) return;
    const limit = values.join(', ');
    expect(rejectionOf(kind, { ...least, [name]: 'other' })).toEqual({
      code: member.code,
      field: name,
      message: `${name} is "other" and must be one of ${limit}.`,
      limit,
    });
  },
);

describe('a number is refused out of its range', () => {
  const TOO_MANY = 2 ** 53;
  test.each([
    ['place', 'lots', 'quantity', 0, 'quantity-below-minimum'],
    ['place', 'lots', 'quantity', TOO_MANY, 'number-out-of-range'],
    ['place', 'ticks', 'price', 0, 'price-invalid'],
    ['place', 'ticks', 'price', TOO_MANY, 'number-out-of-range'],
    ['place', 'stopTicks', 'stopPrice', -1, 'stop-price-invalid'],
    ['place', 'takeRate', 'takeRate', decimal('1'), 'rate-invalid'],
    ['place', 'makeRate', 'makeRate', decimal('0.0000000001'), 'rate-invalid'],
    ['replace', 'lots', 'quantity', 0, 'quantity-below-minimum'],
    ['replace', 'ticks', 'price', -5, 'price-invalid'],
    ['replace', 'stopTicks', 'stopPrice', TOO_MANY, 'number-out-of-range'],
  ] as const)('%s: %s, as %s: %d', (kind, name, field, value, code) => {
    expect(rejectionOf(kind, { ...LEAST[kind], [name]: value })).toMatchObject({ code, field });
  });

  test.each([
    [
      'a share',
      'target',
      { ...SYMBOL, hold: { share: Number.NaN } },
      'number-out-of-range',
      'share',
    ],
    [
      'lots held',
      'target',
      { ...SYMBOL, hold: { lots: -TOO_MANY } },
      'number-out-of-range',
      'lots',
    ],
    ['a side', 'quote', { ...SYMBOL, bid: { ticks: 0, lots: 1 } }, 'price-invalid', 'bid.price'],
    [
      'an order of a list',
      'placeList',
      { ...LEAST.placeList, orders: [ORDER, { ...ORDER, lots: 0 }] },
      'quantity-below-minimum',
      'orders[1].quantity',
    ],
  ])('%s', (_, kind, members, code, field) => {
    expect(rejectionOf(kind, members)).toMatchObject({ code, field });
  });

  test('and taken at its ends', () => {
    const most = Number.MAX_SAFE_INTEGER;
    for (const count of [1, most]) {
      expect(rejectionOf('place', { ...ORDER, lots: count, ticks: count })).toBeUndefined();
    }
    for (const hold of [{ share: 0 }, { share: 1 }, { lots: 0 }, { lots: most }]) {
      expect(rejectionOf('target', { ...SYMBOL, hold })).toBeUndefined();
    }
  });
});

describe('a number is given in one way', () => {
  const both = [
    ['quantity', decimal('0.001'), 'lots', 1, 'lots'],
    ['price', decimal('0.01'), 'ticks', 1, 'ticks'],
    ['stopPrice', decimal('0.02'), 'stopTicks', 2, 'ticks'],
  ] as const;
  test.each(both)('%s: %s beside %s', (exact, value, whole, steps, unit) => {
    const numbers = { [exact]: value, [whole]: steps };
    const message = `${exact} is given both as ${value.toFixed()} and as ${steps} ${unit}; give one of them.`;
    for (const kind of ['place', 'replace'] as const) {
      expect(rejectionOf(kind, { ...LEAST[kind], ...numbers })).toMatchObject({
        field: exact,
        message,
      });
    }
    const orders = [ORDER, { ...ORDER, ...numbers }];
    expect(rejectionOf('placeList', { ...LEAST.placeList, orders })).toMatchObject({
      field: `orders[1].${exact}`,
      message,
    });
  });
});

describe('a schema', () => {
  interface Borrowed {
    readonly market?: 'spot' | 'isolated' | 'cross';
    readonly reduceOnly?: boolean;
    readonly leverage?: number;
  }
  const leverageRejection = (leverage: number): Rejection | undefined =>
    leverage >= 1
      ? undefined
      : { code: 'leverage-invalid', field: 'leverage', message: 'Too low.' };
  const schema: Schema<Borrowed> = {
    members: {
      market: {
        holds: 'text',
        values: ['spot', 'isolated', 'cross'],
        code: 'type-invalid',
        about: '',
      },
      reduceOnly: { holds: 'flag', code: 'type-invalid', about: '' },
      leverage: { holds: 'number', code: 'leverage-invalid', about: '', rule: leverageRejection },
    },
  };
  const reader = compile(schema);
  const form = (fields: Readonly<Record<string, unknown>>): string | undefined =>
    reader.form(fields, 'place', '')?.message;

  test('is all that a reader needs to know a member by', () => {
    expect(form({ market: 'cross', reduceOnly: true, leverage: 5 })).toBeUndefined();
    expect(form({ market: 'margin' })).toBe(
      'market is "margin" and must be one of spot, isolated, cross.',
    );
    expect(form({ reduceOnly: 1 })).toBe('reduceOnly is 1 and must be true or false.');
    expect(reader.range({ leverage: 0.5 }, 'orders[0].')?.field).toBe('orders[0].leverage');
    expect(reader.stray({ reduceonly: true }, 'place', '')?.message).toBe(
      'place has no member "reduceonly"; did you mean reduceOnly?',
    );
    expect(reader.copy({ reduceOnly: false, other: 5 })).toEqual({ reduceOnly: false });
  });

  test('does not compile where it does not agree with its type', () => {
    type May = Schema<{ readonly on?: boolean }>;
    const flag = { holds: 'flag', code: 'type-invalid', about: '' } as const;
    const text = { ...flag, holds: 'text' } as const;
    const required = { ...flag, required: true } as const;
    // @ts-expect-error A member of the type has no row.
    const missing: May = { members: {} };
    // @ts-expect-error A row is of no member of the type.
    const stray: May = { members: { on: flag, of: flag } };
    // @ts-expect-error A row is of another kind than the member.
    const other: May = { members: { on: text } };
    // @ts-expect-error A member that may be absent is required.
    const absent: May = { members: { on: required } };
    // @ts-expect-error Nothing is said of the absence of what the type requires.
    const present: Schema<{ readonly on: boolean }> = { members: { on: flag } };
    // @ts-expect-error The names are not listed.
    const names: Schema<{ readonly on?: 'a' | 'b' }> = { members: { on: text } };
    expect([missing, stray, other, absent, present, names]).toHaveLength(6);
  });
});
