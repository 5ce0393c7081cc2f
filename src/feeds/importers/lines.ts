import { malformed } from './malformed.ts';
import type { ImportSources } from './source.ts';

const NEWLINE = 10;
const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** Consecutive lines of a file, without their line ends. */
export interface LineBatch {
  /** Number of the first of them, counted from 1. */
  readonly first: number;
  readonly lines: readonly string[];
}

/**
 * The whole lines of a file as bytes, up to a chunk at a time; each ends with its line end. `next` returns
 * the number of the line after the given ones, for the error of one without an end.
 */
export async function* byteBatches(
  sources: ImportSources,
  file: string,
  next: () => number,
): AsyncGenerator<Buffer, void, void> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const bytes of sources.chunks(file)) {
    const chunk = viewOf(bytes);
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes > LINE_BYTES_MAX) throw tooLong(file, next());
      continue;
    }
    const head = chunk.subarray(0, end);
    const whole = restBytes === 0 ? head : Buffer.concat([...rest, head]);
    yield whole;
    const tail = chunk.subarray(end);
    rest = [tail];
    restBytes = tail.length;
  }
  if (restBytes > 0) yield Buffer.concat([...rest, Buffer.of(NEWLINE)]);
}

/** The same bytes as Node's own type, whose types users of `millrace/feeds` do not need. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** The same as text. A last empty line is no line. */
export async function* lineBatches(
  sources: ImportSources,
  file: string,
): AsyncGenerator<LineBatch, void, void> {
  let first = 1;
  for await (const bytes of byteBatches(sources, file, () => first)) {
    const lines = linesOf(bytes.toString('utf8', 0, bytes.length - 1));
    yield { first, lines };
    first += lines.length;
  }
}

/** The line at an offset, without its line end, and the start of the next one. */
export function lineAt(bytes: Buffer, from: number): readonly [line: string, next: number] {
  const end = bytes.indexOf(NEWLINE, from);
  const line = bytes.toString('utf8', from, end);
  return [line.endsWith('\r') ? line.slice(0, -1) : line, end + 1];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (!text.includes('\r')) return lines;
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

const tooLong = (file: string, line: number): Error =>
  malformed(
    `${file}:${line}`,
    `a line of more than ${LINE_BYTES_MAX} bytes`,
    'a text file of lines',
  );
