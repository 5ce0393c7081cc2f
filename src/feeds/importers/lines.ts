import { malformed } from './malformed.ts';
import type { Sources } from './source.ts';

const NEWLINE = 10;
const LINE_BYTES_MAX = 64 * 1024 * 1024;

/** Some lines of a file that follow each other, without their line ends. */
export interface LineBatch {
  /** Number of the first of them, counted from 1. */
  readonly first: number;
  readonly lines: readonly string[];
}

/** The lines of a file, as many at a time as a chunk of it holds. A last empty line is no line. */
export async function* lineBatches(
  sources: Sources,
  file: string,
): AsyncGenerator<LineBatch, void, void> {
  let first = 1;
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of sources.chunks(file)) {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end < 0) {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes > LINE_BYTES_MAX) throw tooLong(file, first);
      continue;
    }
    const whole = Buffer.concat([...rest, chunk.subarray(0, end)]);
    const lines = linesOf(whole.toString('utf8'));
    yield { first, lines };
    first += lines.length;
    const tail = chunk.subarray(end + 1);
    rest = [tail];
    restBytes = tail.length;
  }
  if (restBytes > 0) yield { first, lines: linesOf(Buffer.concat(rest).toString('utf8')) };
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
