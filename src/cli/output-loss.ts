import type { Output } from './terminal.ts';

type Listen = (event: 'error', listener: (error: NodeJS.ErrnoException) => void) => unknown;

/**
 * Keeps the process from dying of a closed stream, and returns a function that says whether output was
 * lost. A reader that closes early, as `head` does, has what it needs: the command ends silently. Output
 * that is lost for another reason, such as a full disk, is reported once.
 */
export function watchOutput({ out, err }: Output): () => boolean {
  let lost = false;
  const onOut: Listen = out.on.bind(out);
  const onErr: Listen = err.on.bind(err);
  onOut('error', ({ code, message }) => {
    if (lost || code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return;
    lost = true;
    err.write(
      `error [file-unwritable] The output cannot be written (${message}): free some space, or send it elsewhere.\n`,
    );
  });
  // It cannot be reported elsewhere.
  onErr('error', () => undefined);
  return () => lost;
}

/** Waits until the streams have passed on what was written to them. */
export async function drained({ out, err }: Output): Promise<void> {
  for (const stream of [out, err]) {
    await new Promise<void>((resolve) => {
      stream.write('', () => {
        resolve();
      });
    });
  }
}
