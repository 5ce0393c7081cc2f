import { spawn, type ChildProcess } from 'node:child_process';

/** How `millrace` is started. */
export interface Launch {
  /** The path of the Node that runs it. */
  readonly node: string;
  /** Options of that Node and the script: of the sources, or of a built package. */
  readonly entry: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What a finished command left. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A command that runs until it is ended. */
export interface Running {
  readonly child: ChildProcess;
  /** The first line that it prints; rejects where it ends before. */
  readonly firstLine: Promise<string>;
  readonly ended: Promise<Ended>;
}

export function start({ node, entry, cwd, env }: Launch, args: readonly string[]): Running {
  const child = spawn(node, [...entry, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const firstLine = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<Ended>();
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    const end = out.indexOf('\n');
    if (end >= 0) firstLine.resolve(out.slice(0, end));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.on('error', ended.reject);
  child.on('close', (code, signal) => {
    const left = { code, signal, out, err };
    firstLine.reject(endedError(left));
    ended.resolve(left);
  });
  // Not everybody waits for the first line.
  firstLine.promise.catch(() => undefined);
  return { child, firstLine: firstLine.promise, ended: ended.promise };
}

export const endedError = ({ code, signal, out, err }: Ended): Error =>
  new Error(`it ended with ${code ?? signal ?? 'nothing'}:\n${out}${err}`);
