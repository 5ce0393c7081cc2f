/**
 * Characters that control or deceive a screen: controls except tab and line feed, text direction marks,
 * other line ends, zero-width characters, tags. Joiners of scripts and emoji are harmless.
 */
const COMMANDS =
  /(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

const ESCAPE = '\u001b';
/** The colours that commands paint with. Hidden text, backgrounds and the cursor are not among them. */
const COLOUR = new RegExp(`(${ESCAPE}\\[(?:0|1|2|22|3[1-7]|39|9[0-7])m)`);

/**
 * Text of a file, a venue or a user, such that a terminal shows it and obeys nothing in it: all
 * that is not seen is written as `\u001b`, which stays valid within JSON.
 */
export const printable = (text: string): string => text.replaceAll(COMMANDS, escaped);

/** The same, except the colours of `paint`. */
function printed(text: string): string {
  if (text.search(COMMANDS) < 0) return text;
  return text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join('');
}

function escaped(sign: string): string {
  const units = Array.from({ length: sign.length }, (_, i) => sign.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

type Stream = NodeJS.WriteStream | NodeJS.WritableStream;

/** The stream behind each guarded one. */
const BARE = new WeakMap<Stream, Stream>();

/** The stream itself, for what draws on the screen and knows all that it draws. */
export const bare = (stream: Stream): Stream => BARE.get(stream) ?? stream;

/**
 * A stream that writes text through `printable`, except the colours of `paint`. All output of a command
 * goes through one, so that no command has to know where its text comes from.
 */
export function guarded<S extends Stream>(stream: S): S {
  if (BARE.has(stream)) return stream;
  const write = (chunk: unknown, ...rest: unknown[]): unknown =>
    Reflect.apply(stream.write, stream, [
      typeof chunk === 'string' ? printed(chunk) : chunk,
      ...rest,
    ]);
  const proxy = new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  BARE.set(proxy, stream);
  return proxy;
}
