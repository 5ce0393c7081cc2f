import type { Output } from './terminal.ts';

/** Text that is handed to the stream at a time. */
const CHUNK_LENGTH = 65_536;

/**
 * Writes lines to `out` as fast as it accepts them, so that only a few are in memory. Ends early if nobody
 * reads any more.
 */
export async function writeLines(
  lines: Iterable<string>,
  { out }: Pick<Output, 'out'>,
): Promise<void> {
  let chunk = '';
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    if (!(await written(out, chunk))) return;
    chunk = '';
  }
  await written(out, chunk);
}

/** Returns false if the stream is full; its event `error` says why. */
const written = (out: Output['out'], text: string): Promise<boolean> =>
  new Promise((resolve) => {
    out.write(text, (error) => {
      resolve(error === null || error === undefined);
    });
  });
