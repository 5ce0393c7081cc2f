import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { run } from '../../src/cli/program.ts';

const MAIN = resolve('bin/millrace.js');

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

/** Runs the same within this process, which is quicker; its streams take down what is written. */
export async function millraceHere(args: readonly string[]): Promise<Ended> {
  const [out, err] = [new Notes(), new Notes()];
  const code = await run(args, { out, err });
  return { code, out: out.text, err: err.text };
}

class Notes extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** The last line of the output as JSON. */
export const lastJson = ({ out }: Ended): Record<string, unknown> =>
  JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
