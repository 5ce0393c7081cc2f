import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import type { Addresses } from '../../../src/cli/venue/addresses.ts';

const MAIN = resolve('bin/millrace.js');

/** A venue that runs as a process of its own. */
export interface VenueProcess {
  readonly child: ChildProcess;
  /** What it has written so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Kept once it has written a whole line, or ended. */
  readonly started: Promise<void>;
  /** Its exit code and signal, once it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts `millrace venue` from source. */
export function startVenue(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): VenueProcess {
  const child = spawn(process.execPath, ['--conditions=millrace-source', MAIN, 'venue', ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  const started = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (out.includes('\n')) started.resolve();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((settle) => {
    child.on('close', (code, signal) => {
      started.resolve();
      settle({ code, signal });
    });
  });
  return { child, out: () => out, err: () => err, started: started.promise, ended };
}

/** The addresses that a venue has printed. */
export const addressesOf = ({ out }: VenueProcess): Addresses => JSON.parse(out()) as Addresses;
