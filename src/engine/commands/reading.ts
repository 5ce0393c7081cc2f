import { MillraceError } from '../../model/errors.ts';
import { failureOf } from '../../model/failure.ts';
import { unknownName } from '../../model/members.ts';
import type { Rejection } from '../../model/rejections.ts';
import { BRACKET_MEMBERS } from '../../strategy/bracket.ts';
import { COMMANDS } from '../../strategy/command-schema.ts';
import type { Command } from '../../strategy/commands.ts';
import type { AnySchema } from '../../strategy/schema.ts';
import { compile } from './compile.ts';
import { isObject, type Fields, type ObjectReader } from './object-reader.ts';
import { valueText } from './shown.ts';
import { unknownMember } from './unknown-member.ts';

/** A command as far as it can be read, and why it is rejected, if it is. */
export interface ReadCommand {
  readonly command: Command;
  readonly rejection: Rejection | undefined;
}

const READERS: ReadonlyMap<unknown, ObjectReader> = new Map(
  Object.entries<AnySchema>(COMMANDS).map(([kind, schema]) => [kind, compile(schema, true)]),
);

/**
 * Reads a strategy's emission as a command: a frozen copy of the known members, so that later
 * changes have no effect. Unknown members are rejected by name: an ignored `postonly` would take.
 * So are members of a wrong type, as the code may be untyped; all later code relies on the types
 * unless the command is rejected. Throws `strategy-failed` for a value that is not a command: then
 * the strategy is faulty.
 */
export function readCommand(value: unknown): ReadCommand {
  if (!isObject(value)) throw noCommand(`gave ${valueText(value)} where a command is expected`);
  let kind: unknown;
  try {
    ({ kind } = value as { readonly kind?: unknown });
    const reader = READERS.get(kind);
    if (reader !== undefined) {
      const fields = reader.copy(value);
      const command = fields as unknown as Command;
      const rejection =
        strayRejection(reader, command.kind, value) ?? reader.form(fields, command.kind, '');
      return { command, rejection };
    }
  } catch (cause) {
    throw new MillraceError(
      'strategy-failed',
      `The strategy gave a command that cannot be read: ${failureOf(cause).message}`,
      { cause },
    );
  }
  throw noCommand(`gave a command of the kind ${valueText(kind)}`);
}

/** Rejects a number of a command that is out of its range, whatever the market and the time. */
export const rangeRejection = (command: Command): Rejection | undefined =>
  READERS.get(command.kind)?.range(command as unknown as Fields, '');

/** Rejects an unknown member; for a bracket in terms of `bracket`, not of its list. */
function strayRejection(reader: ObjectReader, kind: string, value: object): Rejection | undefined {
  const fields = value as Fields;
  if (kind === 'placeList' && fields.bracket === true) {
    const stray = unknownName(value, new Set(['kind', ...reader.members]));
    if (stray !== undefined) return unknownMember('bracket', '', stray, fields, BRACKET_MEMBERS);
  }
  return reader.stray(value, kind, '');
}

const noCommand = (what: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `The strategy ${what}; commands are what target, flat, quote, rebalance, place, placeList, bracket, oco, oto, otoco, aon, replace, cancel, cancelAll, setMargin and setLeverage give.`,
  );
