import { knownMembers } from '../../model/members.ts';
import type { Rejection } from '../../model/rejections.ts';
import { FURTHER } from '../../strategy/arguments.ts';
import { AGAIN } from '../../strategy/command.ts';
import { valueText } from './shown.ts';

/**
 * Rejects an unknown member. Factories of commands put what they could not pass on under special
 * names: a member given twice, and an extra argument.
 */
export function unknownMember(
  what: string,
  at: string,
  stray: string,
  fields: Readonly<Record<string, unknown>>,
  known: Iterable<string>,
): Rejection {
  const code = 'request-invalid';
  if (stray.endsWith(AGAIN)) {
    const name = stray.slice(0, -AGAIN.length);
    const values = `${valueText(fields[name])} and ${valueText(fields[stray])}`;
    const message = `${what} is given ${name} twice: ${values}; give one of them.`;
    return { code, field: at + name, message };
  }
  if (stray.endsWith(FURTHER)) {
    const call = stray.slice(0, -FURTHER.length);
    const message = `${call} is given one argument more, ${valueText(fields[stray])}, which it does not take; give it in its place, or leave it out.`;
    return { code, field: 'arguments', message };
  }
  const message = `${what} has no member ${valueText(stray)}; ${knownMembers(stray, known)}`;
  return { code, field: at + stray, message };
}
