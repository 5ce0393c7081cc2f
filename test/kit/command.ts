import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const MAIN = resolve('src/cli/main.ts');

/** What a finished command left. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `millrace` from source as a process of its own, with its output in pipes. */
export function millrace(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, ['--conditions=millrace-source', MAIN, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((settle, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      settle({ code, out, err });
    });
  });
}

/** The last line of the output as JSON. */
export const lastJson = ({ out }: Ended): Record<string, unknown> =>
  JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
