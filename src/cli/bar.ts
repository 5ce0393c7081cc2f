import { interruptible } from '../platform/interruption.ts';
import { internalError } from './failure.ts';
import { progressBar, type Terminal } from './terminal.ts';

interface BarOptions {
  /** What of the work is there when it was stopped, as for `interruptible`. */
  readonly kept?: string | undefined;
  /** Whose fault an error is that nobody caught; that of Millrace where absent. */
  readonly explain?: (error: unknown) => Error;
}

/** Does work that can be interrupted, with a bar of its progress that ends with it. */
export async function withBar<T>(
  terminal: Terminal,
  label: string,
  work: (signal: AbortSignal, update: (share: number, note?: string) => void) => Promise<T>,
  { kept, explain = internalError }: BarOptions = {},
): Promise<T> {
  const bar = progressBar(terminal, label);
  const update = (share: number, note?: string): void => {
    bar.update(share, note);
  };
  try {
    return await interruptible((signal) => work(signal, update), explain, terminal.signals, kept);
  } finally {
    bar.end();
  }
}
