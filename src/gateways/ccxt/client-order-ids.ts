/**
 * How client order ids are sent to a venue. A strategy's have 8 to 32 Latin letters, digits, _ or -; a
 * venue may take fewer characters or shorter ids. Each form can be read back, so that a restarted bot knows
 * its orders.
 */
export interface ClientOrderIdForm {
  /** The id as sent to the venue; `undefined` if it is too long. */
  write(id: string): string | undefined;
  /** The original id; `undefined` for one that was made elsewhere. */
  read(text: string): string | undefined;
}

const ID = /^[A-Za-z0-9_-]{8,32}$/;

/** The id itself if it is short enough. */
const plain = (lengthMax: number): ClientOrderIdForm => ({
  write: (id) => (id.length <= lengthMax ? id : undefined),
  read: (text) => (ID.test(text) ? text : undefined),
});

/** Letters and digits alone: `Z` escapes a replaced character, and itself. */
const ESCAPED = { Z: 'ZZ', '-': 'Z0', _: 'Z1' } as const;
const UNESCAPED: Readonly<Record<string, string>> = { ZZ: 'Z', Z0: '-', Z1: '_' };

const alphanumeric = (lengthMax: number): ClientOrderIdForm => ({
  write: (id) => {
    const text = id.replace(/[Z_-]/g, (sign) => ESCAPED[sign as keyof typeof ESCAPED]);
    return text.length <= lengthMax ? text : undefined;
  },
  read: (text) => {
    if (!/^(?:[A-Ya-z0-9]|Z[Z01])+$/.test(text)) return undefined;
    const id = text.replace(/Z./g, (pair) => UNESCAPED[pair]);
    return ID.test(id) ? id : undefined;
  },
});

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-';
const BITS = 6n;
const HEX_DIGITS = 32;

/** 128 bits as hexadecimal digits: 6 bits for each of at most 21 characters, after a leading one. */
const hex128: ClientOrderIdForm = {
  write: (id) => {
    if (id.length > 21) return undefined;
    let value = 1n;
    for (const sign of id) value = (value << BITS) | BigInt(SIGNS.indexOf(sign));
    return `0x${value.toString(16).padStart(HEX_DIGITS, '0')}`;
  },
  read: (text) => {
    if (!/^0x[0-9a-f]{32}$/.test(text)) return undefined;
    let id = '';
    let value = BigInt(text);
    for (; value > 1n; value >>= BITS) id = SIGNS[Number(value & 63n)] + id;
    return value === 1n && ID.test(id) ? id : undefined;
  },
};

/** The forms that a configuration can name, with the most signs that they take. */
export const CLIENT_ORDER_ID_FORMS = {
  plain: plain(32),
  plain18: plain(18),
  alphanumeric: alphanumeric(32),
  hex128,
} as const;

export type ClientOrderIdFormName = keyof typeof CLIENT_ORDER_ID_FORMS;
