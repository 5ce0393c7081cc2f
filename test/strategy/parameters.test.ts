import { NEVER } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { defineStrategy, price, z } from '../../src/index.ts';
import { MillraceError } from '../../src/model/errors.ts';
import {
  describeParameters,
  parametersFromText,
  parseParameters,
} from '../../src/strategy/parameters.ts';

const strategyOf = <S extends z.ZodObject>(parameters: S) =>
  defineStrategy({ name: 'sample', summary: 'Waits.', parameters, run: () => NEVER });

const sample = strategyOf(
  z
    .object({
      symbol: z.string().default('BTCUSDT'),
      period: z.enum(['M1', 'M5']).default('M5'),
      fast: z.int().min(2).max(500).default(12).describe('candles'),
      slow: z.int().min(3).default(26).describe('candles'),
      share: z.number().gt(0).lt(1).default(0.5),
      eager: z.boolean().default(false),
    })
    .refine((p) => p.fast < p.slow, { path: ['slow'], message: 'expected more than fast.' }),
);

const fault = (task: () => unknown): MillraceError => {
  try {
    task();
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('parseParameters', () => {
  test('fills in the defaults and keeps what was given', () => {
    expect(parseParameters(sample, { fast: 3, eager: true })).toEqual({
      symbol: 'BTCUSDT',
      period: 'M5',
      fast: 3,
      slow: 26,
      share: 0.5,
      eager: true,
    });
  });

  test.each([
    [{ fast: 1 }, 'fast', 'the parameter fast is 1; expected a whole number, 2 to 500 (candles).'],
    [
      { fast: '5' },
      'fast',
      'the parameter fast is "5"; expected a whole number, 2 to 500 (candles).',
    ],
    [
      { slow: 2.5 },
      'slow',
      'the parameter slow is 2.5; expected a whole number, at least 3 (candles).',
    ],
    [{ share: 0 }, 'share', 'the parameter share is 0; expected a number, above 0, below 1.'],
    [{ period: 'M9' }, 'period', 'the parameter period is "M9"; expected one of M1, M5.'],
    [{ symbol: 5 }, 'symbol', "the parameter symbol is 5; expected text; put it in quotes: '5'."],
    [{ eager: 'yes' }, 'eager', 'the parameter eager is "yes"; expected true or false.'],
    [{ symbol: null }, 'symbol', 'the parameter symbol is null; expected text.'],
    [{ symbol: { a: 1 } }, 'symbol', 'the parameter symbol is {"a":1}; expected text.'],
  ])('%j is refused with what was read and what is expected', (raw, field, sentence) => {
    const error = fault(() => parseParameters(sample, raw));
    expect(error.message).toBe(`Strategy sample: ${sentence}`);
    expect([error.code, error.field, error.exitCode]).toEqual(['parameter-invalid', field, 2]);
  });

  test('what JSON cannot write is named too', () => {
    const error = fault(() => parseParameters(sample, { symbol: () => 1 }));
    expect(error.message).toContain('the parameter symbol is () => 1; expected text.');
  });

  test("an author's own rule has the author's message, for a default too", () => {
    expect(fault(() => parseParameters(sample, { slow: 12 })).message).toBe(
      'Strategy sample: the parameter slow is 12; expected more than fast.',
    );
    expect(fault(() => parseParameters(sample, { fast: 100 })).message).toBe(
      'Strategy sample: the parameter slow is 26; expected more than fast.',
    );
  });

  test('a rule about no parameter in particular is reported as it is', () => {
    const strategy = strategyOf(
      z.object({ a: z.int().default(1) }).refine(() => false, 'These do not go together'),
    );
    const error = fault(() => parseParameters(strategy, {}));
    expect(error.message).toBe('Strategy sample: These do not go together.');
    expect(error.field).toBeUndefined();
  });

  test('a misspelt name gets the nearest one, any other the list', () => {
    const misspelt = fault(() => parseParameters(sample, { fsat: 5 }));
    expect(misspelt.message).toBe(
      'Strategy sample: there is no parameter "fsat". Did you mean "fast"? ' +
        'It takes symbol, period, fast, slow, share, eager.',
    );
    expect(misspelt.field).toBe('fsat');
    expect(fault(() => parseParameters(sample, { leverage: 5 })).message).toBe(
      'Strategy sample: there is no parameter "leverage". ' +
        'It takes symbol, period, fast, slow, share, eager.',
    );
    expect(fault(() => parseParameters(strategyOf(z.object({})), { a: 5 })).message).toBe(
      'Strategy sample: there is no parameter "a". It takes none.',
    );
  });

  test('names that every object has are no parameters', () => {
    expect(fault(() => parseParameters(sample, { toString: 1 })).field).toBe('toString');
  });

  test('of several mistakes the first is reported and the rest counted', () => {
    expect(fault(() => parseParameters(sample, { fast: 1, share: 7, eager: 0 })).message).toMatch(
      /^Strategy sample: the parameter fast .*\. \(2 more like this\)$/,
    );
    expect(fault(() => parseParameters(sample, { a: 1, b: 2 })).message).toMatch(
      /\(1 more like this\)$/,
    );
  });

  test('a decimal parameter is read exactly, and what is none is refused', () => {
    const strategy = strategyOf(
      z.object({ limit: z.string().default('61000.01').transform(price) }),
    );
    expect(parseParameters(strategy, {}).limit.toFixed()).toBe('61000.01');
    expect(parseParameters(strategy, { limit: '0.1' }).limit.toFixed()).toBe('0.1');
    const error = fault(() => parseParameters(strategy, { limit: '0x10' }));
    expect(error.message).toContain('"0x10" is not a decimal number');
    expect(error.code).toBe('parameter-invalid');
  });
});

describe('describeParameters', () => {
  test('has name, type, default, range and description', () => {
    expect(describeParameters(sample.parameters)).toEqual([
      { name: 'symbol', type: 'text', default: 'BTCUSDT', range: '', description: '' },
      { name: 'period', type: 'M1, M5', default: 'M5', range: '', description: '' },
      {
        name: 'fast',
        type: 'whole number',
        default: 12,
        range: '2 to 500',
        description: 'candles',
      },
      {
        name: 'slow',
        type: 'whole number',
        default: 26,
        range: 'at least 3',
        description: 'candles',
      },
      { name: 'share', type: 'number', default: 0.5, range: 'above 0, below 1', description: '' },
      { name: 'eager', type: 'true or false', default: false, range: '', description: '' },
    ]);
  });

  test.each([
    [z.number().max(3), 'number', 'at most 3'],
    [z.int(), 'whole number', ''],
    [z.number().min(1).multipleOf(0.5), 'number', 'at least 1, a multiple of 0.5'],
    [z.string().min(2).max(4), 'text', 'at least 2 characters, at most 4 characters'],
    [z.string().regex(/^[A-Z]+$/), 'text', 'matching ^[A-Z]+$'],
    [z.literal('off'), 'off', ''],
    [z.union([z.literal('off'), z.int(), z.string()]), 'off or whole number or text', ''],
    [z.array(z.string()), 'array', ''],
    [z.unknown(), 'any', ''],
  ])('case %#: a schema in words', (schema, type, range) => {
    const [description] = describeParameters(z.object({ x: schema }));
    expect([description.type, description.range]).toEqual([type, range]);
  });
});

describe('parametersFromText', () => {
  test('makes numbers and truth values where the schema takes them, and keeps text', () => {
    expect(
      parametersFromText(sample.parameters, {
        symbol: '5',
        fast: '7',
        share: '2.5e-1',
        eager: 'true',
        period: 'M1',
      }),
    ).toEqual({ symbol: '5', fast: 7, share: 0.25, eager: true, period: 'M1' });
    expect(parametersFromText(sample.parameters, { eager: 'false' })).toEqual({ eager: false });
  });

  test('what is no number or truth value stays text, so that its rejection shows what was typed', () => {
    const texts = { fast: '0x10', share: '', eager: 'yes', unknown: '1' };
    expect(parametersFromText(sample.parameters, texts)).toEqual(texts);
    const raw = parametersFromText(sample.parameters, { fast: '0x10' });
    expect(fault(() => parseParameters(sample, raw)).message).toContain('fast is "0x10"');
  });

  test('a parameter of several types takes a number where it can', () => {
    const schema = z.object({ limit: z.union([z.literal('off'), z.number()]).default('off') });
    expect(parametersFromText(schema, { limit: '5' })).toEqual({ limit: 5 });
    expect(parametersFromText(schema, { limit: 'off' })).toEqual({ limit: 'off' });
  });

  test('reads a number that may be null as well, and says what it may be', () => {
    const schema = z.object({ limit: z.number().nullable().default(null) });
    expect(parametersFromText(schema, { limit: '5' })).toEqual({ limit: 5 });
    expect(describeParameters(schema)).toMatchObject([{ name: 'limit', type: 'number or null' }]);
  });
});

describe('parameters are data', () => {
  const free = strategyOf(z.object({ any: z.any().default(0) }));
  const circle: Record<string, unknown> = {};
  circle.within = { circle };
  test.each<[unknown, string]>([
    [5n, '(a bigint)'],
    [new Date(0), '(a Date)'],
    [new Map(), '(a Map)'],
    [() => 5, '(a function)'],
    [Symbol('x'), '(a symbol)'],
    [Number.NaN, '(NaN)'],
    [Number.POSITIVE_INFINITY, '(Infinity)'],
    [[1, undefined], '(1 is undefined)'],
    [{ deep: [{ at: Number.NaN }] }, '(deep.0.at is NaN)'],
    [circle, '(within.circle is part of itself)'],
    [{ [Symbol('x')]: 1 }, '(an object with a symbol for a key)'],
  ])('%o is none', (any, what) => {
    const { code, field, message } = fault(() => parseParameters(free, { any }));
    expect({ code, field }).toEqual({ code: 'parameter-invalid', field: 'any' });
    expect(message).toContain(what);
  });

  test.each<[unknown]>([
    ['text'],
    [true],
    [null],
    [price('5.00')],
    [[1, ['a', { b: null, c: undefined }]]],
    [Object.assign(Object.create(null), { a: 1 })],
  ])('%o is', (any) => {
    expect(parseParameters(free, { any })).toEqual({ any });
  });

  test('a default that is none is no strategy', () => {
    expect(() => strategyOf(z.object({ at: z.date().default(new Date(0)) }))).toThrow(
      'the parameter at has a default that JSON cannot hold: a Date',
    );
  });

  test('an optional parameter may be absent', () => {
    expect(parseParameters(strategyOf(z.object({ a: z.number().optional() })), {})).toEqual({});
  });
});
