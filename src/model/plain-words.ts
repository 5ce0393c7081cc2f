/** Longest error text of a service, in characters. */
const LENGTH = 400;

/**
 * Invisible characters and those that change their neighbors: controls, formats, lone surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Foreign text, safe to show and store: one line of at most `length` characters, with white space
 * as single blanks and invisible characters written out, `\u202e` for a text direction override.
 * Safe text is unchanged.
 */
export function sanitize(text: string, length: number = LENGTH): string {
  // The text may have megabytes; only its beginning is read.
  const line = text
    .slice(0, 2 * length)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(UNSEEN, written);
  const isCut = line.length > length || text.length > 2 * length;
  return isCut ? `${line.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

/** True for text that `sanitize` leaves unchanged, apart from its length. */
export const isSanitized = (text: string): boolean => text.search(UNSEEN) < 0;

const written = (sign: string): string => {
  const code = sign.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};
