import type { Scheduler } from '../../src/platform/scheduler.ts';
import { micros } from '../../src/platform/time.ts';
import { endedError, start, type Ended, type Launch, type Running } from './process.ts';

const POLL_US = 200_000;
/** Longer than anything takes on a busy machine. */
const WAIT_US_MAX = 240_000_000;

export interface TrialSettings {
  readonly launch: Launch;
  readonly scheduler: Scheduler;
  /** Takes each line of the report. */
  readonly say: (line: string) => void;
}

/** Runs commands one after the other, reports a line for each, and goes on after a failure. */
export class Trial {
  readonly cwd: string;
  readonly #settings: TrialSettings;
  readonly #running = new Set<Running>();
  readonly #ran: (readonly string[])[] = [];
  #passed = 0;
  #failed = 0;

  constructor(settings: TrialSettings) {
    this.#settings = settings;
    this.cwd = settings.launch.cwd;
  }

  get passed(): number {
    return this.#passed;
  }

  get failed(): number {
    return this.#failed;
  }

  /** The arguments of every command that was started. */
  get ran(): readonly (readonly string[])[] {
    return this.#ran;
  }

  /**
   * Runs a command to its end. It passes when it exits with 0 and prints what is expected. `launch` says
   * where it runs instead, and under what name it is reported.
   */
  async run(
    args: readonly string[],
    expected = /\S/,
    { name = 'millrace', ...launch }: Partial<Launch> & { readonly name?: string } = {},
  ): Promise<Ended | undefined> {
    return this.step(`${name} ${args.join(' ')}`, async () => {
      this.#ran.push(args);
      const running = start({ ...this.#settings.launch, ...launch }, args);
      const ended = await this.#within(running, running.ended);
      const { code, out, err } = ended;
      if (code !== 0) throw endedError(ended);
      if (expected.test(out)) return ended;
      throw new Error(`it prints nothing like ${String(expected)}:\n${out}${err}`);
    });
  }

  /** Starts a command that runs until `stop`, and waits until it is `ready`. */
  async start<T>(
    args: readonly string[],
    ready: (running: Running) => Promise<T>,
  ): Promise<{ readonly running: Running; readonly reported: T } | undefined> {
    return this.step(`millrace ${args.join(' ')}`, async () => {
      this.#ran.push(args);
      const running = start(this.#settings.launch, args);
      this.#running.add(running);
      const ending = running.ended.then((ended): never => {
        throw endedError(ended);
      });
      const reported = await this.#within(running, Promise.race([ready(running), ending]));
      return { running, reported };
    });
  }

  /** Ends a command by SIGTERM, after which it has to close in order. */
  async stop(name: string, running: Running): Promise<void> {
    await this.step(`SIGTERM to millrace ${name}`, async () => {
      running.child.kill('SIGTERM');
      const ended = await this.#within(running, running.ended);
      this.#running.delete(running);
      // Windows has no signals: there it was ended at once.
      if (ended.code !== 0 && process.platform !== 'win32') throw endedError(ended);
    });
  }

  /** Reports whether an action passes; one that throws fails, and gives nothing. */
  async step<T>(name: string, action: () => Promise<T>): Promise<T | undefined> {
    const { scheduler, say } = this.#settings;
    const since = scheduler.now();
    const took = (): string => `${((scheduler.now() - since) / 1_000_000).toFixed(1)} s`;
    try {
      const given = await action();
      this.#passed += 1;
      say(`ok    ${name}  (${took()})`);
      return given;
    } catch (error) {
      this.#failed += 1;
      say(`FAIL  ${name}  (${took()}): ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  /** Waits until something is so, while a command runs; what throws is not so yet. */
  async until(
    what: string,
    isSo: () => Promise<boolean>,
    { child }: Pick<Running, 'child'>,
  ): Promise<void> {
    const { scheduler } = this.#settings;
    const end = scheduler.now() + WAIT_US_MAX;
    while (!(await isSo().catch(() => false))) {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      if (isOver || scheduler.now() > end) throw new Error(`waited in vain for ${what}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      scheduler.at(micros(scheduler.now() + POLL_US), resolve);
      await promise;
    }
  }

  /** Waits for what a process brings about; one that hangs is killed. */
  async #within<T>({ child }: Running, promise: Promise<T>): Promise<T> {
    const { scheduler } = this.#settings;
    const cancel = scheduler.at(micros(scheduler.now() + WAIT_US_MAX), () => {
      child.kill('SIGKILL');
    });
    try {
      return await promise;
    } finally {
      cancel();
    }
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    for (const { child, ended } of this.#running) {
      child.kill('SIGKILL');
      await ended;
    }
  }
}
