import { Decimal } from '../../model/decimal.ts';
import { MillraceError } from '../../model/errors.ts';
import { failureOf } from '../../model/failure.ts';
import { knownMembers, ownMembers, strayMember } from '../../model/members.ts';
import type { Refusal } from '../../model/refusals.ts';
import type { Command } from '../../strategy/commands.ts';
import {
  BRACKET_MEMBERS,
  COMMAND_MEMBERS,
  HOLD_MEMBERS,
  ORDER_MEMBERS,
  SIDE_MEMBERS,
  SLOT_MEMBERS,
} from '../../strategy/members.ts';
import { FURTHER } from '../../strategy/arguments.ts';
import { AGAIN } from '../../strategy/saying.ts';
import { shown } from './form.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Commands may come from code that no compiler has read; these fields of theirs are objects. */
const PARTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['hold', HOLD_MEMBERS],
  ['bid', SIDE_MEMBERS],
  ['ask', SIDE_MEMBERS],
]);

/** A command as far as it can be read, and the reason why it cannot be taken for what was meant. */
export interface ReadCommand {
  readonly command: Command;
  readonly refusal: Refusal | undefined;
}

/**
 * Reads what a strategy emitted as a command: a frozen copy of what such a command can say, so that
 * nobody changes it later. Whatever else it says is refused by its name: a `postonly` that is
 * passed over would take. What its fields hold is for `formRefusal` to judge. Throws
 * `strategy-failed` for what is no command at all: the strategy is not written as it must be.
 */
export function readCommand(value: unknown): ReadCommand {
  if (typeof value !== 'object' || value === null) {
    throw noCommand(`gave ${shown(value)} where a command is expected`);
  }
  let kind: unknown;
  try {
    ({ kind } = value as { readonly kind?: unknown });
    if (isKind(kind)) {
      const command = Object.freeze(copy(value, COMMAND_MEMBERS[kind])) as unknown as Command;
      return { command, refusal: strayRefusal(kind, value) };
    }
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
  typeof kind === 'string' && Object.hasOwn(COMMAND_MEMBERS, kind);

/** Absent and undefined are the same; a decimal of another decimal.js becomes one of this. */
function copy(value: object, fields: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const given = value as Readonly<Record<string, unknown>>;
  const read: Record<string, unknown> = {};
  for (const field of fields) {
    const one = given[field];
    if (one === undefined) continue;
    const isObject = typeof one === 'object' && one !== null;
    if (field === 'orders' && Array.isArray(one)) read[field] = copyOrders(one);
    else if (field === 'targets' && isObject) read[field] = copyTargets(one);
    else {
      const part = isObject ? PARTS.get(field) : undefined;
      if (part !== undefined) read[field] = Object.freeze(copy(one as object, part));
      else read[field] = isObject && Decimal.isDecimal(one) ? own(one) : one;
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
      typeof order === 'object' && order !== null
        ? Object.freeze(copy(order, ORDER_MEMBERS))
        : order,
    ),
  );

/** By names that the strategy chose. */
const copyTargets = (targets: object): object =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(ownMembers(targets)).map(([name, one]) => [
        name,
        typeof one === 'object' && one !== null ? Object.freeze(copy(one, SLOT_MEMBERS)) : one,
      ]),
    ),
  );

/** The first member of a command, or of one of its parts, that no such command has. */
function strayRefusal(kind: Command['kind'], value: object): Refusal | undefined {
  const fields = value as Fields;
  const known = COMMAND_MEMBERS[kind];
  const stray = strayMember(fields, known);
  if (stray !== undefined) {
    const isBracket = kind === 'placeList' && fields.bracket === true;
    const meant = isBracket ? BRACKET_MEMBERS : without(known, 'kind');
    return unknownMember(isBracket ? 'bracket' : kind, '', stray, fields, meant);
  }
  switch (kind) {
    case 'target':
      return partRefusal('hold', fields.hold, HOLD_MEMBERS);
    case 'quote':
      return (
        partRefusal('bid', fields.bid, SIDE_MEMBERS) ?? partRefusal('ask', fields.ask, SIDE_MEMBERS)
      );
    case 'placeList':
      return ordersRefusal(fields.orders);
    case 'rebalance':
      return slotsRefusal(fields.targets);
    default:
      return undefined;
  }
}

function ordersRefusal(orders: unknown): Refusal | undefined {
  if (!Array.isArray(orders)) return undefined;
  for (const [index, order] of (orders.slice(0, ORDERS_READ) as readonly unknown[]).entries()) {
    const refusal = partRefusal(`orders[${index}]`, order, ORDER_MEMBERS);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function slotsRefusal(targets: unknown): Refusal | undefined {
  for (const [slot, target] of Object.entries(ownMembers(Object(targets) as object))) {
    const refusal = partRefusal(slot, target, SLOT_MEMBERS);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function partRefusal(
  part: string,
  value: unknown,
  known: ReadonlySet<string>,
): Refusal | undefined {
  if (typeof value !== 'object' || value === null || Decimal.isDecimal(value)) return undefined;
  const stray = strayMember(value, known);
  if (stray === undefined) return undefined;
  return unknownMember(part, `${part}.`, stray, value as Fields, without(known, 'kind'));
}

function unknownMember(
  what: string,
  at: string,
  stray: string,
  fields: Fields,
  known: Iterable<string>,
): Refusal {
  const code = 'request-invalid';
  if (stray.endsWith(AGAIN)) {
    const name = stray.slice(0, -AGAIN.length);
    const values = `${shown(fields[name])} and ${shown(fields[stray])}`;
    const message = `${what} is given ${name} twice: ${values}; give one of them.`;
    return { code, field: at + name, message };
  }
  if (stray.endsWith(FURTHER)) {
    const call = stray.slice(0, -FURTHER.length);
    const message = `${call} is given one argument more, ${shown(fields[stray])}, which it does not take; give it in its place, or leave it out.`;
    return { code, field: 'arguments', message };
  }
  const message = `${what} has no member ${shown(stray)}; ${knownMembers(stray, known)}`;
  return { code, field: at + stray, message };
}

const without = (names: ReadonlySet<string>, name: string): readonly string[] =>
  [...names].filter((one) => one !== name);

const own = (value: Decimal): Decimal => (value instanceof Decimal ? value : new Decimal(value));

const noCommand = (what: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `The strategy ${what}; commands are what target, flat, quote, rebalance, place, placeList, bracket, oco, oto, otoco, aon, replace, cancel and cancelAll give.`,
  );
