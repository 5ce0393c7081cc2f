import { brief, type Decimal } from '../model/decimal.ts';
import { SIDES } from '../model/order.ts';
import type { Rejection } from '../model/rejections.ts';
import { RATE_PLACES } from '../rules/own-rates.ts';
import type { AlgoCommand, Dca, Grid, Iceberg, ProfileVolume, Twap, Vwap } from './commands.ts';
import { ID, margin, NUMBERS, symbol } from './schema-members.ts';
import type { DecimalMember, NumberMember, Schema } from './schema.ts';

/** A grid with more prices would need more orders than an account may have. */
const LEVELS_MAX = 200;
const STEPS_MAX = 10_000;

const outside = (field: string, value: number | Decimal, range: string): Rejection => ({
  code: 'request-invalid',
  field,
  message: `${field} is ${typeof value === 'number' ? value : brief(value)} and must be ${range}.`,
});

/** A whole number within bounds. */
const count = (field: string, about: string, low: number, high: number) =>
  ({
    holds: 'whole',
    code: 'request-invalid',
    about,
    range: `from ${low} to ${high}`,
    rule: (value: number) =>
      value >= low && value <= high ? undefined : outside(field, value, `from ${low} to ${high}`),
  }) as const satisfies NumberMember;

/** A duration in milliseconds. */
const span = (field: string, about: string) =>
  ({
    holds: 'number',
    code: 'request-invalid',
    about,
    range: 'positive',
    rule: (value: number) =>
      Number.isFinite(value) && value > 0 ? undefined : outside(field, value, 'above 0'),
  }) as const satisfies NumberMember;

/** A fraction as a decimal, above 0 and below `high`. */
const fraction = (field: string, about: string, high: number) =>
  ({
    holds: 'decimal',
    code: 'request-invalid',
    about,
    range: `above 0, at most ${high}, at most ${RATE_PLACES} decimals`,
    rule: (value: Decimal) =>
      value.isFinite() &&
      value.greaterThan(0) &&
      value.lessThanOrEqualTo(high) &&
      value.decimalPlaces() <= RATE_PLACES
        ? undefined
        : outside(
            field,
            value,
            `above 0 and at most ${high}, with at most ${RATE_PLACES} decimals`,
          ),
  }) as const satisfies DecimalMember;

const id = {
  holds: 'text',
  code: 'client-order-id-invalid',
  required: true,
  about: 'its name; the same command again is the same order',
  range: ID,
} as const;

const place = { id, symbol: { ...symbol, required: true }, margin } as const;

const side = {
  holds: 'text',
  values: SIDES,
  code: 'side-invalid',
  required: true,
  about: 'direction',
} as const;

const reduceOnly = {
  holds: 'flag',
  code: 'request-invalid',
  absent: '`false`',
  about: 'on margin: only reduces a position',
} as const;

const { lots, quantity, ticks, price } = NUMBERS;
const QUANTITY = { of: ['quantity', 'lots'], code: 'quantity-invalid', unit: 'lots' } as const;
const PRICE = { of: ['price', 'ticks'], code: 'price-invalid', unit: 'ticks' } as const;

const SLICED = {
  ...place,
  side,
  reduceOnly,
  lots,
  quantity,
  ticks: { ...ticks, absent: 'any price', about: 'worst price of a slice, in ticks' },
  price: { ...price, absent: 'any price', about: 'worst price of a slice' },
  over: { ...span('over', 'over how many milliseconds'), required: true },
  slices: { ...count('slices', 'how many orders', 1, STEPS_MAX), required: true },
  jitter: {
    holds: 'number',
    code: 'request-invalid',
    absent: '0',
    about: 'share of an interval that a slice may be late, by chance',
    range: 'from 0 to 1',
    rule: (value: number) =>
      value >= 0 && value <= 1 ? undefined : outside('jitter', value, 'from 0 to 1'),
  },
  participation: {
    ...fraction('participation', "most of the market's volume since the slice before", 1),
    absent: 'all',
  },
  atEnd: {
    holds: 'text',
    values: ['leave', 'market'],
    code: 'request-invalid',
    absent: '`leave`',
    about: 'what becomes of the rest',
  },
} as const satisfies Schema<Twap>['members'];

const PROFILE: Schema<ProfileVolume> = {
  members: {
    volume: { ...count('volume', 'what the market trades in the interval', 0, Number.MAX_SAFE_INTEGER), required: true }, // prettier-ignore
  },
};

/** Schemas of the algo order commands. */
export const ALGO_COMMANDS: {
  readonly [K in AlgoCommand['kind']]: Schema<Extract<AlgoCommand, { readonly kind: K }>>;
} = {
  twap: { members: SLICED, choices: [QUANTITY, PRICE] },
  vwap: {
    members: {
      ...SLICED,
      profile: {
        holds: 'list',
        schema: PROFILE,
        code: 'request-invalid',
        form: 'an array of { volume }',
        formOfOne: '{ volume }',
        absent: 'by the volume before each slice',
        about: 'volume of the interval of each slice',
      },
    },
    choices: [QUANTITY, PRICE],
  } satisfies Schema<Vwap>,
  iceberg: {
    members: {
      ...place,
      side,
      reduceOnly,
      lots,
      quantity,
      ticks,
      price,
      visibleLots: { ...lots, about: 'what is shown at most, in lots' },
      visibleQuantity: { ...quantity, about: 'what is shown at most' },
      postOnly: {
        holds: 'flag',
        code: 'type-invalid',
        absent: '`false`',
        about: 'expires rather than take, and is sent again',
      },
    },
    choices: [
      QUANTITY,
      PRICE,
      { of: ['visibleQuantity', 'visibleLots'], code: 'quantity-invalid', unit: 'lots' },
    ],
  } satisfies Schema<Iceberg>,
  grid: {
    members: {
      ...place,
      lots: { ...lots, about: 'quantity of a level, in lots' },
      quantity: { ...quantity, about: 'quantity of a level' },
      lowTicks: { ...ticks, about: 'lowest price, in ticks' },
      low: { ...price, about: 'lowest price' },
      highTicks: { ...ticks, about: 'highest price, in ticks' },
      high: { ...price, about: 'highest price' },
      levels: { ...count('levels', 'how many prices', 2, LEVELS_MAX), required: true },
      spacing: {
        holds: 'text',
        values: ['arithmetic', 'geometric'],
        code: 'request-invalid',
        absent: '`arithmetic`',
        about: 'equal distances or equal ratios',
      },
    },
    choices: [
      QUANTITY,
      { of: ['low', 'lowTicks'], code: 'price-invalid', unit: 'ticks' },
      { of: ['high', 'highTicks'], code: 'price-invalid', unit: 'ticks' },
    ],
  } satisfies Schema<Grid>,
  dca: {
    members: {
      ...place,
      value: {
        holds: 'decimal',
        code: 'request-invalid',
        required: true,
        about: 'value of each purchase, in the quote currency',
        range: 'above 0',
        rule: (value) =>
          value.isFinite() && value.greaterThan(0) ? undefined : outside('value', value, 'above 0'),
      },
      every: { ...span('every', 'every how many milliseconds it buys') },
      drop: fraction('drop', 'how far below the mean price it buys again', 1),
      max: { ...count('max', 'how many purchases at most', 1, STEPS_MAX), required: true },
      takeProfit: {
        ...fraction('takeProfit', 'how far above the mean price all is sold', 100),
        absent: 'never',
      },
    },
    choices: [{ of: ['every', 'drop'], code: 'request-invalid' }],
  } satisfies Schema<Dca>,
};
