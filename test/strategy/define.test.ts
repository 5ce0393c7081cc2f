import { NEVER, of } from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { defineStrategy, z, type Candle, type Strategy } from '../../src/index.ts';
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

  test('a parameter without a default is named', () => {
    const parameters = z.object({ fast: z.int().default(1), slow: z.int() });
    const define = (): unknown => defineStrategy({ name: 'half', summary: '', parameters, run });
    expect(define).toThrow('Strategy half: the parameter slow has no default');
    expect(define).toThrow(expect.objectContaining({ code: 'strategy-invalid', field: 'slow' }));
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
