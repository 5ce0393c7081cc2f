import { createInterface } from 'node:readline/promises';
import { MillraceError } from '../../model/errors.ts';
import { bare, printable } from '../printable.ts';
import { isTerminal, type Output } from '../terminal.ts';

/** Input for a person's answers. */
export type Keyboard = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/**
 * Asks for confirmation of what cannot be undone. Throws `usage` for every answer but yes, and if nobody
 * can be asked: a script says `--yes`.
 */
export async function confirm(
  what: string,
  terminal: Output,
  keyboard: Keyboard = process.stdin,
): Promise<void> {
  if (keyboard.isTTY !== true || !isTerminal(terminal.err)) {
    const sentence =
      'Nothing was done: this asks first, and there is no terminal to ask on. Add --yes.';
    throw new MillraceError('usage', sentence, { field: '--yes' });
  }
  const asking = createInterface({ input: keyboard, output: bare(terminal.err) });
  try {
    const answer = await asking.question(`${printable(what)} [yes/no] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    asking.close();
  }
  throw new MillraceError('usage', 'Nothing was done. Answer yes, or add --yes.');
}
