import { describe, expect, test } from 'vitest';
import { MillraceError } from '../../src/model/errors.ts';
import { failureOf } from '../../src/model/failure.ts';

describe('something thrown, as plain data', () => {
  test('keeps code, message and stack of an error', () => {
    const error = new MillraceError('internal', 'It broke.');
    expect(failureOf(error)).toEqual({
      code: 'internal',
      message: error.message,
      stack: error.stack,
    });
  });

  test('has no code where the error has none that is text', () => {
    const plain = new Error('no');
    expect(failureOf(plain)).toEqual({ message: 'no', stack: plain.stack });
    expect(failureOf(Object.assign(new Error('no'), { code: 7 }))).not.toHaveProperty('code');
  });

  test('has the name of an error without words', () => {
    expect(failureOf(new TypeError('')).message).toBe('TypeError');
    expect(failureOf(Object.assign(new RangeError('x'), { message: 7 })).message).toBe(
      'RangeError',
    );
  });

  test('has no stack where there is none', () => {
    expect(failureOf(Object.assign(new Error('no'), { stack: undefined }))).toEqual({
      message: 'no',
    });
  });

  test.each([
    ['text', 'text'],
    [7, '7'],
    [null, 'null'],
    [undefined, 'undefined'],
    [{ message: 'words' }, 'words'],
    [{ message: 7 }, '{"message":7}'],
    [{ a: 1 }, '{"a":1}'],
    [{ toJSON: () => undefined }, 'an object'],
  ])('is text of whatever it was: %o', (thrown, message) => {
    expect(failureOf(thrown)).toEqual({ message });
  });

  test('can be of no use at all', () => {
    const hostile = {
      get message(): string {
        throw new Error('no');
      },
    };
    expect(failureOf(hostile)).toEqual({ message: 'Something was thrown that cannot be read.' });
  });
});
