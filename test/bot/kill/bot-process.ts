import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** A script in a process of its own. */
export class ChildProcessOf {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #ended: Promise<number | null>;
  #errors = '';
  #received: (() => void)[] = [];

  /** `fileBlocks`: no file of it may grow beyond so many blocks of 512 bytes, as on a full disk. */
  constructor(script: string, given: readonly string[], fileBlocks?: number) {
    const args = ['--conditions=millrace-source', script, ...given];
    const limit = fileBlocks === undefined ? 'unlimited' : String(fileBlocks);
    this.#process = spawn(
      'sh',
      ['-c', `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, ...args],
      // What a killed process covers cannot be counted, and counting would slow it down.
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_V8_COVERAGE: undefined } },
    );
    const { stdout, stderr } = this.#process;
    if (stdout === null || stderr === null) throw new Error('the process has no pipes');
    createInterface({ input: stdout }).on('line', (line) => {
      this.lines.push(line);
      this.#emit();
    });
    stderr.on('data', (chunk: Buffer) => {
      this.#errors += chunk.toString();
    });
    this.#ended = new Promise((resolve) => {
      this.#process.once('exit', (code) => {
        resolve(code);
        this.#emit();
      });
    });
    // One that outlived its test would look for its venue without end.
    onTestFinished(() => this.kill());
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Waits for its end; gives the exit code. */
  async ends(): Promise<number | null> {
    return await this.#ended;
  }

  /**
   * Waits until it has said so many lines that begin so; throws with what the process said where it
   * ends before.
   */
  async says(line: string, count = 1): Promise<void> {
    while (this.lines.filter((reported) => reported.startsWith(line)).length < count) {
      this.expectRunning();
      await new Promise<void>((resolve) => this.#received.push(resolve));
    }
  }

  /** Throws with what the process said where it has ended. */
  expectRunning(): void {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) return;
    throw new Error(`The process ended: ${this.lines.join('\n')}\n${this.#errors}`);
  }

  /** Ends it as a power cut of the process would. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  /** Asks it to end, and waits until it has. */
  async stop(): Promise<number | null> {
    this.#process.kill('SIGTERM');
    return await this.#ended;
  }

  /** What it threw, if anything. */
  get errors(): string {
    return this.#errors;
  }

  #emit(): void {
    const received = this.#received;
    this.#received = [];
    for (const resolve of received) resolve();
  }
}

export type Scenario = 'spot' | 'margin' | 'shared' | 'ccxt' | 'ccxtMargin' | 'algo';

export interface BotProcessOptions {
  readonly fileBlocks?: number;
  readonly scenario?: Scenario;
}

/** A bot in a process of its own. */
export class BotProcess extends ChildProcessOf {
  constructor(
    port: number,
    data: string,
    seed: number,
    { fileBlocks, scenario = 'spot' }: BotProcessOptions = {},
  ) {
    super(CHILD, [String(port), data, String(seed), scenario], fileBlocks);
  }
}
