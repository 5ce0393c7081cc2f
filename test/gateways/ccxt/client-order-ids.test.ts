import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CLIENT_ORDER_ID_FORMS,
  type ClientOrderIdFormName,
} from '../../../src/gateways/ccxt/client-order-ids.ts';

const SIGNS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'];
const ids = fc.string({ unit: fc.constantFrom(...SIGNS), minLength: 8, maxLength: 32 });

/** What venues say that they take. */
const TAKEN = {
  plain: /^[A-Za-z0-9_-]{1,32}$/,
  plain18: /^[\x21-\x7e]{1,18}$/,
  alphanumeric: /^[A-Za-z0-9]{1,32}$/,
  hex128: /^0x[0-9a-f]{32}$/,
} as const satisfies Record<ClientOrderIdFormName, RegExp>;

describe.each(Object.keys(TAKEN) as ClientOrderIdFormName[])('client order ids, %s', (name) => {
  const form = CLIENT_ORDER_ID_FORMS[name];

  test('are written as the venue takes them, and read back', () => {
    fc.assert(
      fc.property(ids, (id) => {
        const text = form.write(id);
        if (text === undefined) return;
        expect(text).toMatch(TAKEN[name]);
        expect(form.read(text)).toBe(id);
      }),
    );
  });

  test('of others are read as what writes them again, or as none', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const id = form.read(text);
        if (id !== undefined) expect(form.write(id)).toBe(text);
      }),
    );
  });

  test('have room for a strategy of ten signs and seven digits', () => {
    expect(form.write('abcdefghij-0000001')).toBeDefined();
  });
});
