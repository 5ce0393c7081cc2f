import { createInterface } from 'node:readline/promises';
import { MillraceError } from '../../model/errors.ts';
import { bare, printable } from '../printable.ts';
import { isTerminal, type Output } from '../terminal.ts';

/** Where a person answers. */
export type Keyboard = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/**
 * Asks a person before what cannot be taken back. Where nobody sits there, in a script, what was
 * written is what was meant. Throws `usage` for every answer but yes.
 */
export async function confirm(
  what: string,
  terminal: Output,
  keyboard: Keyboard = process.stdin,
): Promise<void> {
  if (keyboard.isTTY !== true || !isTerminal(terminal.err)) return;
  const asking = createInterface({ input: keyboard, output: bare(terminal.err) });
  try {
    const answer = await asking.question(`${printable(what)} [yes/no] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    asking.close();
  }
  throw new MillraceError('usage', 'Nothing was done. Answer yes, or add --yes.');
}
