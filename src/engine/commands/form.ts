import { Decimal, parseDecimal } from '../../model/decimal.ts';
import { parseSlot } from '../../model/portfolio.ts';
import type { Refusal, RefusalCode } from '../../model/refusals.ts';
import type { Command } from '../../strategy/commands.ts';

/** A field, the code that it is refused with, and what it must be. */
type Rule = readonly [field: string, code: RefusalCode, type: keyof typeof TYPES];

const TYPES = {
  text: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  'true or false': (value: unknown) => typeof value === 'boolean',
  'a decimal, as price and quantity make them of text': (value: unknown) =>
    Decimal.isDecimal(value),
  'a decimal, as rate makes it of text': (value: unknown) => Decimal.isDecimal(value),
  "a decimal as text, such as '0.05'": (value: unknown) =>
    typeof value === 'string' && parseDecimal(value) !== undefined,
} as const;

const DECIMAL = 'a decimal, as price and quantity make them of text';

const RATE = 'a decimal, as rate makes it of text';

const AMOUNT = "a decimal as text, such as '0.05'";

const NUMBERS: readonly Rule[] = [
  ['lots', 'quantity-invalid', 'number'],
  ['quantity', 'quantity-invalid', DECIMAL],
  ['ticks', 'price-invalid', 'number'],
  ['price', 'price-invalid', DECIMAL],
  ['stopTicks', 'stop-price-invalid', 'number'],
  ['stopPrice', 'stop-price-invalid', DECIMAL],
];

const ORDER: readonly Rule[] = [
  ['symbol', 'symbol-unknown', 'text'],
  ['side', 'side-invalid', 'text'],
  ['type', 'type-invalid', 'text'],
  ['clientOrderId', 'client-order-id-invalid', 'text'],
  ...NUMBERS,
  ['timeInForce', 'time-in-force-invalid', 'text'],
  ['expireAt', 'expire-time-invalid', 'number'],
  ['within', 'expire-time-invalid', 'number'],
  ['postOnly', 'type-invalid', 'true or false'],
  ['takeRate', 'rate-invalid', RATE],
  ['makeRate', 'rate-invalid', RATE],
];

const RULES: Readonly<Record<Command['kind'], readonly Rule[]>> = {
  place: ORDER,
  placeList: [
    ['contingencyType', 'contingency-type-invalid', 'text'],
    ['bracket', 'type-invalid', 'true or false'],
  ],
  replace: [
    ['clientOrderId', 'client-order-id-invalid', 'text'],
    ['newClientOrderId', 'client-order-id-invalid', 'text'],
    ...NUMBERS,
  ],
  cancel: [['clientOrderId', 'client-order-id-invalid', 'text']],
  cancelAll: [['symbol', 'symbol-unknown', 'text']],
  target: [
    ['symbol', 'symbol-unknown', 'text'],
    ['clears', 'type-invalid', 'true or false'],
  ],
  quote: [['symbol', 'symbol-unknown', 'text']],
  rebalance: [
    ['minimumWorth', 'targets-invalid', AMOUNT],
    ['maximumCost', 'targets-invalid', AMOUNT],
    ['slippage', 'targets-invalid', AMOUNT],
  ],
};

/** What a command cannot do without, beside what the rules of orders ask for. */
const NEEDED: Readonly<Record<string, readonly Command['kind'][]>> = {
  symbol: ['place', 'target', 'quote'],
  side: ['place'],
  clientOrderId: ['replace', 'cancel'],
  contingencyType: ['placeList'],
  minimumWorth: ['rebalance'],
  maximumCost: ['rebalance'],
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * The reason why a command is not even of the form that its type says; code that no compiler has
 * read may give such. Everything after it may rely on the types.
 */
export function formRefusal(command: Command): Refusal | undefined {
  const given = command as unknown as Fields;
  const refusal = fieldRefusal(given, command.kind);
  if (refusal !== undefined) return refusal;
  switch (command.kind) {
    case 'target':
      return holdRefusal(given.hold);
    case 'quote':
      return sideRefusal('bid', given.bid) ?? sideRefusal('ask', given.ask);
    case 'replace':
      return twiceRefusal(given);
    case 'placeList':
      return ordersRefusal(given.orders);
    case 'rebalance':
      return targetsRefusal(given.targets);
    default:
      return undefined;
  }
}

/** What a number of ticks or lots can be rounded with. */
const ROUNDED: Readonly<Record<string, string>> = {
  lots: "instrument.lots(quantity, 'down')",
  ticks: "instrument.ticks(price, 'down')",
  stopTicks: "instrument.ticks(stopPrice, 'down')",
};

/** Ticks and lots are counted: a fraction is refused with the way to round it. What is beyond 2^53 is for the rules. */
function fractionRefusal(field: string, value: unknown, code: RefusalCode): Refusal | undefined {
  const unit = field.slice(field.lastIndexOf('.') + 1);
  if (typeof value !== 'number' || !Object.hasOwn(ROUNDED, unit)) return undefined;
  if (Number.isInteger(value)) return undefined;
  const remedy = Number.isFinite(value)
    ? `round it with Math.round, or with ${ROUNDED[unit]}`
    : 'look at what it is computed from';
  return { code, field, message: `${field} is ${value} and must be a whole number; ${remedy}.` };
}

/** The first field of a command, or of an order of a list, that is not of its type. */
function fieldRefusal(given: Fields, kind: Command['kind']): Refusal | undefined {
  for (const [field, code, type] of RULES[kind]) {
    const value = given[field];
    const fits = value === undefined ? !isNeeded(field, kind) : TYPES[type](value);
    if (!fits) return { code, field, message: `${field} is ${shown(value)} and must be ${type}.` };
    const fraction = fractionRefusal(field, value, code);
    if (fraction !== undefined) return fraction;
  }
  return undefined;
}

const isNeeded = (field: string, kind: Command['kind']): boolean =>
  Object.hasOwn(NEEDED, field) && NEEDED[field].includes(kind);

/** The orders of a list, each as the fields of a place. */
function ordersRefusal(orders: unknown): Refusal | undefined {
  const code = 'order-count-invalid';
  const field = 'orders';
  if (!Array.isArray(orders)) {
    return { code, field, message: `orders is ${shown(orders)} and must be an array of orders.` };
  }
  for (const [index, order] of (orders as readonly unknown[]).entries()) {
    const where = `orders[${index}]`;
    if (typeof order !== 'object' || order === null) {
      return { code, field: where, message: `${where} is ${shown(order)} and must be an order.` };
    }
    const refusal = fieldRefusal(order as Fields, 'place');
    if (refusal !== undefined) return { ...refusal, field: `${where}.${refusal.field ?? ''}` };
  }
  return undefined;
}

/** The slots of a portfolio, by their names, each with amounts as text. */
function targetsRefusal(targets: unknown): Refusal | undefined {
  const code = 'targets-invalid';
  if (typeof targets !== 'object' || targets === null) {
    const message = `targets is ${shown(targets)} and must be slots by name, such as USDC@ethereum.`;
    return { code, field: 'targets', message };
  }
  for (const [name, target] of Object.entries(targets)) {
    if (parseSlot(name) === undefined) {
      const message = `${shown(name)} is no slot; name an asset at a place, such as USDC@ethereum.`;
      return { code, field: name, message };
    }
    const fields = fieldsOf(target);
    const [hasWeight, hasAmount] = [fields.weight, fields.amount].map((one) => one !== undefined);
    if (hasWeight && hasAmount) {
      const message = `${name} is given weight and amount; give one of them.`;
      return { code, field: name, message };
    }
    const needed = hasAmount ? ['amount', 'band'] : ['weight', 'band'];
    for (const member of [...needed, 'reserve']) {
      const value = fields[member];
      if (TYPES[AMOUNT](value) || (member === 'reserve' && value === undefined)) continue;
      const field = `${name}.${member}`;
      const message =
        member === 'weight' && value === undefined
          ? `${name} has neither weight nor amount; give one of them, ${AMOUNT}.`
          : `${field} is ${shown(value)} and must be ${AMOUNT}.`;
      return { code, field, message };
    }
  }
  return undefined;
}

function holdRefusal(hold: unknown): Refusal | undefined {
  const fields = fieldsOf(hold);
  const numbers = Object.values(fields);
  if (numbers.length === 1 && typeof numbers[0] === 'number') {
    return fractionRefusal('lots', fields.lots, 'quantity-invalid');
  }
  return {
    code: 'quantity-invalid',
    field: 'hold',
    message: `hold is ${shown(hold)} and must be { share } or { lots }, one of them, as a number.`,
  };
}

function sideRefusal(field: 'bid' | 'ask', side: unknown): Refusal | undefined {
  if (side === undefined) return undefined;
  const { ticks, lots } = fieldsOf(side);
  if (typeof ticks === 'number' && typeof lots === 'number') {
    return (
      fractionRefusal(`${field}.ticks`, ticks, 'price-invalid') ??
      fractionRefusal(`${field}.lots`, lots, 'quantity-invalid')
    );
  }
  return {
    code: typeof ticks === 'number' ? 'quantity-invalid' : 'price-invalid',
    field,
    message: `${field} is ${shown(side)} and must be { ticks, lots }, both as numbers, or absent.`,
  };
}

/** The decimal and the whole face of a number, and what it is refused with when both are given. */
const FACES: readonly (readonly [exact: string, whole: string, code: RefusalCode])[] = [
  ['quantity', 'lots', 'quantity-invalid'],
  ['price', 'ticks', 'price-invalid'],
  ['stopPrice', 'stopTicks', 'stop-price-invalid'],
];

function twiceRefusal(given: Fields): Refusal | undefined {
  for (const [exact, whole, code] of FACES) {
    if (given[exact] === undefined || given[whole] === undefined) continue;
    return {
      code,
      field: exact,
      message: `${exact} is given as a decimal and in ${whole === 'lots' ? 'lots' : 'ticks'}; give one of them.`,
    };
  }
  return undefined;
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** A value of any type in a message. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return 'a bigint';
    case 'object':
      return value === null ? 'null' : objectShown(value);
    default:
      return `a ${typeof value}`;
  }
}

/** Its fields one level deep, as those of a command are. */
function objectShown(value: object): string {
  if (Array.isArray(value)) return 'an array';
  if (Decimal.isDecimal(value)) return 'a decimal';
  if (value instanceof Promise) return 'a promise';
  const fields = Object.entries(value).slice(0, 3);
  const inner = fields.map(
    ([name, one]) => `${name}: ${typeof one === 'object' && one !== null ? '{ … }' : shown(one)}`,
  );
  return inner.length === 0 ? '{}' : `{ ${inner.join(', ')} }`;
}
