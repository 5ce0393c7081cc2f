import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientOrderIdRejection, generatedClientOrderId } from '../../src/rules/client-order-id.ts';

describe('a client order id', () => {
  test.each(['abcd1234', 'A-b_C-d_', '-'.repeat(8), '0'.repeat(32), 'aZ09_-'.repeat(5)])(
    '"%s" passes',
    (id) => {
      expect(clientOrderIdRejection(id)).toBeUndefined();
    },
  );

  test.each([
    '',
    'abc1234',
    'a'.repeat(33),
    'abcd 1234',
    'abcd.1234',
    'abcdéfgh',
    'аbcd1234', // the first letter is Cyrillic
    'abcd1234\n',
    '１２３４５６７８',
    '😀😀😀😀',
  ])('%j is refused', (id) => {
    expect(clientOrderIdRejection(id)).toMatchObject({
      code: 'client-order-id-invalid',
      field: 'clientOrderId',
      limit: '8..32',
    });
  });

  test('passes exactly when each character and the length are allowed', () => {
    const ALLOWED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
    const character = fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...ALLOWED) },
      { weight: 1, arbitrary: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) },
    );
    const id = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(''));
    fc.assert(
      fc.property(id, (text) => {
        const fits = text.length >= 8 && text.length <= 32;
        const passes = fits && [...text].every((letter) => ALLOWED.includes(letter));
        expect(clientOrderIdRejection(text) === undefined).toBe(passes);
      }),
    );
  });

  test('the message says what was given, how long it is, and for which field', () => {
    expect(clientOrderIdRejection('short', 'newClientOrderId')).toMatchObject({
      field: 'newClientOrderId',
      message:
        'newClientOrderId is "short" (5 characters) and must be 8 to 32 Latin letters, digits, _ or -.',
    });
  });
});

describe('client order ids that are made', () => {
  test('have 32 hexadecimal digits and are all different', () => {
    const ids = Array.from({ length: 20_000 }, (_, number) => generatedClientOrderId(number));
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(generatedClientOrderId(2 ** 40 + 1)).not.toBe(generatedClientOrderId(1));
  });

  test('are the same for the same number', () => {
    expect(generatedClientOrderId(1)).toBe(generatedClientOrderId(1));
    expect(clientOrderIdRejection(generatedClientOrderId(1))).toBeUndefined();
  });
});
