import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ended } from './command.ts';

const SCRIPT = fileURLToPath(new URL('./companion-process.ts', import.meta.url));

/**
 * A process that runs one command after the other. It is for long replays, which take three times as
 * long in the tests' own process, whose coverage is counted.
 */
export class Companion {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(cwd: string) {
    this.#child = fork(SCRIPT, { cwd, execArgv: ['--conditions=millrace-source'] });
    this.#ended = new Promise((_, fail) => {
      this.#child.on('error', fail);
      this.#child.on('exit', (code, signal) => {
        fail(new Error(`The companion has ended with ${String(code ?? signal)}.`));
      });
    });
    // Whoever waits for an answer hears of it.
    this.#ended.catch(() => undefined);
  }

  run(args: readonly string[]): Promise<Ended> {
    const turn = this.#last.then(() => Promise.race([this.#answer(args), this.#ended]));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async close(): Promise<void> {
    this.#child.disconnect();
    await this.#ended.catch(() => undefined);
  }

  #answer(args: readonly string[]): Promise<Ended> {
    return new Promise((resolve) => {
      this.#child.once('message', (ended: Ended) => {
        resolve(ended);
      });
      this.#child.send(args);
    });
  }
}
