import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { Written } from './written.ts';

const MAIN = resolve('bin/millrace.js');

/** How a process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A command that runs as a process of its own. */
export interface RunningProcess {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  /** Kept once one of its outputs holds a text; broken when it ended before. */
  says(text: string): Promise<void>;
  readonly ended: Promise<End>;
}

/** What a process has around it. */
export interface Surroundings {
  readonly cwd?: string;
  /** Variables beside those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Where its output goes, instead of a pipe to here. */
  readonly stdout?: number;
}

/** Starts `millrace` from source as a process of its own, with its output in pipes. */
export function started(args: readonly string[], surroundings: Surroundings = {}): RunningProcess {
  const { cwd, env, stdout = 'pipe' } = surroundings;
  const child = spawn(process.execPath, ['--conditions=millrace-source', MAIN, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  const written = new Written();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    written.addOut(text);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written.addErr(text);
  });
  const ended = new Promise<End>((settle, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => {
      settle({ code, signal });
    });
  });
  const { out, err } = written;
  const says = (text: string): Promise<void> =>
    written.until(() => out().includes(text) || err().includes(text), ended, `saying "${text}"`);
  return { child, out, err, says, ended };
}

/** A line of a page for a shell in any folder. */
export const inShell = (line: string): string =>
  line.replaceAll(
    'npm run -s millrace --',
    `'${process.execPath}' --conditions=millrace-source '${MAIN}'`,
  );
