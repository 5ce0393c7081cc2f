import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { onTestFinished, TestRunner } from 'vitest';
import { run } from '../../src/cli/program.ts';
import { started, type Surroundings } from './process.ts';
import { Written } from './written.ts';

/** What a finished command left. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs `millrace` as a process of its own: for what is about the process, such as errors that nobody
 * catches. All else is quicker by `millraceHere`, and its coverage counts.
 */
export async function millrace(
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Ended> {
  const { out, err, ended } = started(args, surroundings);
  const { code } = await ended;
  return { code, out: out(), err: err() };
}

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** A command that runs within this process. */
export interface RunningHere {
  readonly out: () => string;
  readonly err: () => string;
  /** Kept once one of its outputs holds a text; broken when it ended before. */
  says(text: string): Promise<void>;
  /** Has it believe that its process was sent a signal; nothing hears of one after its end. */
  signal(name: Signal): void;
  readonly ended: Promise<Ended>;
}

/**
 * Starts `millrace` within this process. Its folder is that of this process, so that whoever starts
 * one that goes on while others begin gives it absolute paths.
 */
export function startedHere(args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningHere {
  const written = new Written();
  const { out, err } = written;
  const signals = new EventEmitter();
  let isOver = false;
  const ended = run(args, {
    out: listener((text) => written.addOut(text)),
    err: listener((text) => written.addErr(text)),
    env: { ...process.env, ...env },
    signals,
  }).then((code) => {
    isOver = true;
    return { code, out: out(), err: err() };
  });
  const says = (text: string): Promise<void> =>
    written.until(() => out().includes(text) || err().includes(text), ended, `saying "${text}"`);
  const signal = (name: Signal): void => {
    if (!isOver) signals.emit(name);
  };
  // A bot that a failing test leaves behind would keep the clock of RxJS from all tests after it.
  if (TestRunner.getCurrentTest() !== undefined) {
    onTestFinished(async () => {
      signal('SIGTERM');
      await ended;
    });
  }
  return { out, err, says, signal, ended };
}

/** When the command before has ended: the folder is that of the whole process. */
let last: Promise<unknown> = Promise.resolve();

/** Runs `millrace` within this process to its end, one at a time. */
export function millraceHere(
  args: readonly string[],
  { cwd, env }: Omit<Surroundings, 'stdout'> = {},
): Promise<Ended> {
  const turn = last.then(async () => {
    const before = process.cwd();
    if (cwd !== undefined) process.chdir(cwd);
    try {
      return await startedHere(args, env).ended;
    } finally {
      if (cwd !== undefined) process.chdir(before);
    }
  });
  last = turn.catch(() => undefined);
  return turn;
}

const listener = (receive: (text: string) => void): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      receive(chunk.toString('utf8'));
      done();
    },
  });

/** The last line of the output as JSON. */
export const lastJson = ({ out }: Ended): Record<string, unknown> =>
  JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
