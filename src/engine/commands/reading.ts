import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Command } from '../../strategy/commands.ts';
import { failureOf } from '../audit.ts';
import { shown } from './form.ts';

const NUMBERS = ['lots', 'quantity', 'ticks', 'price', 'stopTicks', 'stopPrice'];

const ORDER = [
  ...['symbol', 'side', 'type', 'clientOrderId', ...NUMBERS],
  ...['timeInForce', 'expireAt', 'within', 'postOnly'],
];

/** Everything that a command of a kind may say. */
const FIELDS: Readonly<Record<Command['kind'], readonly string[]>> = {
  place: ORDER,
  placeList: ['contingencyType', 'orders', 'bracket'],
  replace: ['clientOrderId', 'newClientOrderId', ...NUMBERS],
  cancel: ['clientOrderId'],
  cancelAll: ['symbol'],
  target: ['symbol', 'hold', 'clears'],
  quote: ['symbol', 'bid', 'ask'],
  rebalance: ['targets', 'minimumWorth', 'maximumCost', 'slippage'],
};

/** Commands may come from code that no compiler has read; these fields of theirs are objects. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  hold: ['share', 'lots'],
  bid: ['ticks', 'lots'],
  ask: ['ticks', 'lots'],
};

/**
 * Reads what a strategy emitted as a command: a frozen copy of what such a command can say, so that
 * nobody changes it later. What its fields hold is for `formRefusal` to judge. Throws
 * `strategy-failed` for what is no command at all: the strategy is not written as it must be.
 */
export function readCommand(value: unknown): Command {
  if (typeof value !== 'object' || value === null) {
    throw noCommand(`gave ${shown(value)} where a command is expected`);
  }
  let kind: unknown;
  try {
    ({ kind } = value as { readonly kind?: unknown });
    if (isKind(kind)) return Object.freeze({ kind, ...copy(value, FIELDS[kind]) }) as Command;
  } catch (cause) {
    throw new MillraceError(
      'strategy-failed',
      `The strategy gave a command that cannot be read: ${failureOf(cause).message}`,
      { cause },
    );
  }
  throw noCommand(`gave a command of the kind ${shown(kind)}`);
}

const isKind = (kind: unknown): kind is Command['kind'] =>
  typeof kind === 'string' && Object.hasOwn(FIELDS, kind);

/** Absent and undefined are the same; a decimal of another decimal.js becomes one of this. */
function copy(value: object, fields: readonly string[]): Readonly<Record<string, unknown>> {
  const given = value as Readonly<Record<string, unknown>>;
  const read: Record<string, unknown> = {};
  for (const field of fields) {
    const one = given[field];
    if (one === undefined) continue;
    const isObject = typeof one === 'object' && one !== null;
    if (field === 'orders' && Array.isArray(one)) read[field] = copyOrders(one);
    else if (field === 'targets' && isObject) read[field] = copyTargets(one);
    else if (isObject && Object.hasOwn(PARTS, field)) {
      read[field] = Object.freeze(copy(one, PARTS[field]));
    } else {
      read[field] = isObject && Decimal.isDecimal(one) ? own(one) : one;
    }
  }
  return read;
}

/** No list has more than three; of an array without end no more is read than shows that. */
const ORDERS_READ = 100;

/** `from` reads the holes of a sparse array as well. */
const copyOrders = (orders: readonly unknown[]): readonly unknown[] =>
  Object.freeze(
    Array.from(orders.slice(0, ORDERS_READ), (order) =>
      typeof order === 'object' && order !== null ? Object.freeze(copy(order, ORDER)) : order,
    ),
  );

const TARGET = ['weight', 'band', 'reserve'];

/** By names that the strategy chose. */
const copyTargets = (targets: object): object =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(targets).map(([name, one]: readonly [string, unknown]) => [
        name,
        typeof one === 'object' && one !== null ? Object.freeze(copy(one, TARGET)) : one,
      ]),
    ),
  );

const own = (value: Decimal): Decimal => (value instanceof Decimal ? value : new Decimal(value));

const noCommand = (what: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `The strategy ${what}; commands are what target, flat, quote, rebalance, place, placeList, bracket, oco, oto, otoco, aon, replace, cancel and cancelAll give.`,
  );
