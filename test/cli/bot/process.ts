import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';

const MAIN = resolve('bin/millrace.js');

/** A bot, or a venue, that runs as a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** Kept once what it has written holds a text; broken when it ended before. */
  says(text: string): Promise<void>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** Starts `millrace` from source. */
export function started(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Running {
  const child = spawn(process.execPath, ['--conditions=millrace-source', MAIN, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  let look = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<{ code: number | null; signal: string | null }>((settle) => {
    child.on('close', (code, signal) => {
      settle({ code, signal });
    });
  });
  const says = (text: string): Promise<void> =>
    new Promise((heard, fail) => {
      look = () => {
        if (out.includes(text)) heard();
      };
      look();
      void ended.then(() => {
        fail(new Error(`it ended without saying "${text}": ${err}\n${out}`));
      });
    });
  return { child, out: () => out, err: () => err, says, ended };
}

/** The command line that a page tells with `npm run -s millrace --`, for a shell in any folder. */
export const inShell = (line: string): string =>
  line.replaceAll(
    'npm run -s millrace --',
    `'${process.execPath}' --conditions=millrace-source '${MAIN}'`,
  );
