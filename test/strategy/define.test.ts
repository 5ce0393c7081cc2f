import { NEVER, of } from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { defineStrategy, z, type Candle, type Strategy } from '../../src/index.ts';
import { isStrategy, strategyFault } from '../../src/strategy/define.ts';
import { MillraceError } from '../../src/model/errors.ts';

const run = (): typeof NEVER => NEVER;

describe('defineStrategy', () => {
  test('gives the definition back, frozen, as a strategy of any parameters', () => {
    const definition = { name: 'a1-b', summary: 'Waits.', parameters: z.object({}), run };
    const strategy: Strategy = defineStrategy(definition);
    expect(strategy).toBe(definition);
    expect(Object.isFrozen(strategy)).toBe(true);
  });

  test('parameters have the types of their schema wherever they are handed in', () => {
    defineStrategy({
      name: 'typed',
      summary: 'Waits.',
      parameters: z.object({ count: z.int().default(1), period: z.enum(['M1']).default('M1') }),
      warmUpMs: (parameters) => {
        expectTypeOf(parameters).toEqualTypeOf<{ count: number; period: 'M1' }>();
        return parameters.count;
      },
      run: ({ parameters, market }) => {
        expectTypeOf(parameters).toEqualTypeOf<{ count: number; period: 'M1' }>();
        expectTypeOf(market.candles('BTCUSDT', parameters.period)).toExtend<{
          subscribe(next: (candle: Candle) => void): unknown;
        }>();
        // @ts-expect-error there is no such parameter
        const { missing } = parameters;
        expectTypeOf(missing).toBeAny();
        return NEVER;
      },
    });
  });

  test.each(['', 'EmaCross', 'ema_cross', '-ema', 'ema-', 'ema--cross', '1st', '../ema'])(
    '"%s" is no name',
    (name) => {
      const define = (): unknown =>
        defineStrategy({ name, summary: '', parameters: z.object({}), run });
      expect(define).toThrow(MillraceError);
      expect(define).toThrow(`"${name}" is no name for a strategy`);
    },
  );

  test('a member that a strategy does not have is refused with the one that was meant', () => {
    const definition = { name: 'mine', summary: 'Waits.', parameters: z.object({}), run };
    expect(() => defineStrategy({ ...definition, warmupMs: () => 5 } as Strategy)).toThrow(
      /^Strategy mine: there is no warmupMs; did you mean warmUpMs\?$/,
    );
    expect(() => defineStrategy({ ...definition, version: 1 } as Strategy)).toThrow(
      /^Strategy mine: there is no version; there are name, summary, .*, run\.$/,
    );
  });

  test('a parameter without a default is named', () => {
    const parameters = z.object({ fast: z.int().default(1), slow: z.int() });
    const define = (): unknown => defineStrategy({ name: 'half', summary: '', parameters, run });
    expect(define).toThrow('Strategy half: the parameter slow has no default');
    expect(define).toThrow(expect.objectContaining({ code: 'strategy-invalid', field: 'slow' }));
  });

  test.each<[string, unknown, string]>([
    ['a number', 5, 'strategy'],
    ['nothing', null, 'strategy'],
    ['a function', run, 'strategy'],
    ['a name of no text', { name: Object.create(null) as unknown }, 'name'],
    ['no name', { summary: '', parameters: z.object({}), run }, 'name'],
    ['a path as name', { name: '../x', summary: '', parameters: z.object({}), run }, 'name'],
    ['no summary', { name: 'x', parameters: z.object({}), run }, 'summary'],
    ['no run', { name: 'x', summary: '', parameters: z.object({}) }, 'run'],
    [
      'parameters that are no schema',
      { name: 'x', summary: '', parameters: {}, run },
      'parameters',
    ],
    ['parameters of text', { name: 'x', summary: '', parameters: z.string(), run }, 'parameters'],
    [
      'a warm-up that is no function',
      { name: 'x', summary: '', parameters: z.object({}), warmUpMs: 5, run },
      'warmUpMs',
    ],
    [
      'a parameter that is checked by a promise',
      {
        name: 'x',
        summary: '',
        parameters: z.object({
          slow: z
            .string()
            .default('')
            .refine(() => Promise.resolve(true)),
        }),
        run,
      },
      'slow',
    ],
  ])('%s is no strategy', (_, value, field) => {
    expect(isStrategy(value)).toBe(false);
    expect(strategyFault(value)?.field).toBe(field);
    expect(() => defineStrategy(value as Strategy)).toThrow(
      expect.objectContaining({ code: 'strategy-invalid', field }),
    );
  });

  test('what has all its fields is a strategy, whoever made it', () => {
    expect(isStrategy({ name: 'x', summary: '', parameters: z.object({}), run })).toBe(true);
  });

  test('a command that is none does not compile', () => {
    expect(() =>
      defineStrategy({
        name: 'wrong',
        summary: '',
        parameters: z.object({}),
        // @ts-expect-error a strategy gives a stream of commands
        run: () => of(1, 2, 3),
      }),
    ).not.toThrow();
  });
});
