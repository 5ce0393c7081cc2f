/** More than a service has to say of what is wrong. */
const LENGTH = 400;

/** What no reader sees, or what changes what is beside it: controls, formats, lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Words of somebody else, such that they can be shown and kept: one line, not longer than `length`,
 * with white space as single blanks and all that is not seen written out, `\u202e` for what turns
 * text round. Words that are plain stay as they are.
 */
export function plainWords(text: string, length: number = LENGTH): string {
  // Somebody may send megabytes; only their beginning is looked at.
  const line = text
    .slice(0, 2 * length)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(UNSEEN, written);
  const isCut = line.length > length || text.length > 2 * length;
  return isCut ? `${line.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** True for text that `plainWords` would leave as it is, whatever its length. */
export const isPlain = (text: string): boolean => text.search(UNSEEN) < 0;

const written = (sign: string): string => {
  const code = sign.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};
