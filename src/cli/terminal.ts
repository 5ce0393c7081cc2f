import { styleText } from 'node:util';
import type { Signals } from '../platform/interruption.ts';
import type { Environment } from './bot/secret.ts';
import { bare, guarded, printable } from './printable.ts';

/** Outputs of a command: results go to `out`, everything else to `err`. */
export interface Output {
  readonly out: NodeJS.WriteStream | NodeJS.WritableStream;
  readonly err: NodeJS.WriteStream | NodeJS.WritableStream;
  /** Called with the progress of long work, as a share from 0 to 1, if a program requests it. */
  readonly onProgress?: ProgressListener | undefined;
}

export type ProgressListener = (share: number, note: string) => void;

/** A command's access to its process. Tests pass their own. */
export interface Terminal extends Output {
  readonly env: Environment;
  readonly signals: Signals;
}

/** A process that was started with a channel to its parent reports progress there. */
const toParent: ProgressListener | undefined =
  process.send === undefined
    ? undefined
    : (share, note) => {
        if (process.connected) process.send?.({ share, note });
      };

export const terminal: Terminal = {
  onProgress: toParent,
  out: guarded(process.stdout),
  err: guarded(process.stderr),
  env: process.env,
  signals: process,
};

/** The same with outputs that show foreign text and do not obey it. */
export const guardedTerminal = (given: Terminal): Terminal => ({
  ...given,
  out: guarded(given.out),
  err: guarded(given.err),
});

/** True if a person reads the output. */
export const isTerminal = (stream: Output['out']): boolean => 'isTTY' in stream && stream.isTTY;

type Style = Parameters<typeof styleText>[0];

/** Colours text if the stream is a terminal and NO_COLOR is not set. */
export function paint(stream: Output['out'], style: Style, text: string): string {
  return isTerminal(stream) && process.env['NO_COLOR'] === undefined
    ? styleText(style, printable(text), { validateStream: false })
    : text;
}

const BAR_WIDTH = 32;
const STEP = 1 / 200;

/**
 * A progress bar on `err`: drawn in place on a terminal, silent if the output is a file or a pipe, so that
 * logs stay readable.
 */
export function progressBar(
  { err, onProgress }: Output,
  label: string,
): { update(share: number, note?: string): void; end(): void } {
  const line = statusLine({ err });
  let shown = Number.NEGATIVE_INFINITY;
  return {
    update(share, note = '') {
      if (share - shown < STEP && share < 1) return;
      shown = share;
      const full = Math.round(Math.min(1, share) * BAR_WIDTH);
      const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
      line.update(`${label} ${bar} ${String(Math.round(share * 100)).padStart(3)}% ${note}`);
      onProgress?.(share, `${label} ${note}`);
    },
    end() {
      line.end();
    },
  };
}

/** A line on `err` that is overwritten; silent if that is no terminal. */
export function statusLine({ err, onProgress }: Pick<Output, 'err' | 'onProgress'>): {
  update(text: string, share?: number): void;
  end(): void;
} {
  const screen = isTerminal(err) ? bare(err) : undefined;
  return {
    update(text, share) {
      screen?.write(`\r\x1b[2K${printable(text)}`);
      if (share !== undefined) onProgress?.(share, text);
    },
    end() {
      screen?.write('\r\x1b[2K');
    },
  };
}
