import { MillraceError } from '../../model/errors.ts';
import type { Random } from '../../platform/random.ts';
import type { Standing } from './standing.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const IDENTITY_LENGTH = 4;

/**
 * The identity of a journal, made when it is new. Throws `journal-invalid` for a journal of another
 * account.
 */
export function proveAccount(
  standing: Standing,
  path: string,
  account: string,
  random: Random,
): string {
  const owner = standing.fact('account');
  if (owner !== undefined && owner !== account) {
    throw new MillraceError(
      'journal-invalid',
      `The journal ${path} is of account "${owner}" and not of "${account}"; put each journal back under the name of its account.`,
      { where: path },
    );
  }
  if (owner === undefined) standing.setFact('account', account);
  const known = standing.fact('identity');
  if (known !== undefined) return known;
  const letter = (): string => LETTERS.charAt(random.integer(0, LETTERS.length - 1));
  const identity = Array.from({ length: IDENTITY_LENGTH }, letter).join('');
  standing.setFact('identity', identity);
  return identity;
}
