import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SystemScheduler } from '../../../../src/platform/system-scheduler.ts';
import { micros, US_PER_MS } from '../../../../src/platform/time.ts';
import { KILLED, type Order } from './moments.ts';

const scheduler = new SystemScheduler();
const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** What came of a process that was sent on an errand. */
export interface Outcome {
  /** True where it ended by SIGKILL, false where it came to its end. */
  readonly isKilled: boolean;
  readonly lines: readonly string[];
}

export interface LifeOptions {
  /** The moment at which it kills itself, by name, or when so many have passed. */
  readonly killAt?: number | string;
  /** It kills itself at the first moment that is none of these, which it is then put to. */
  readonly known?: Set<string>;
  /** Only at moments that begin so. */
  readonly among?: readonly string[] | undefined;
  /** Called each time that it has looked at a transfer and nothing was new. */
  readonly waits?: () => void;
  /** Killed from outside so long after it was sent. */
  readonly killAfterMs?: number;
}

/**
 * Processes that are sent on errands one after another. While one lives that is to be killed the next
 * one starts, so that it is ready when it is needed.
 */
export class Lives {
  readonly #limit: string;
  #current: Born | undefined;
  #next: Born | undefined;

  /** `fileBlocks`: no file of theirs may grow beyond so many blocks of 512 bytes, as on a full disk. */
  constructor(fileBlocks?: number) {
    this.#limit = fileBlocks === undefined ? 'unlimited' : String(fileBlocks);
  }

  /** Lets a process live on an errand until it is killed or has finished. Throws where it fails. */
  async live(
    errand: string,
    { killAt, known, among, waits, killAfterMs }: LifeOptions = {},
  ): Promise<Outcome> {
    this.#current = this.#next ?? this.#born();
    const { child, ended } = this.#current;
    const isLast = killAt === undefined && known === undefined && killAfterMs === undefined;
    this.#next = isLast ? undefined : this.#born();
    let output = '';
    let errors = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      output += text;
      if (text.includes('waits')) waits?.();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const order: Order = {
      errand,
      ...(killAt !== undefined && { killAt }),
      ...(known !== undefined && { known: [...known] }),
      ...(among !== undefined && { among }),
    };
    child.stdin?.end(`${JSON.stringify(order)}\n`);
    const dueAt = micros(scheduler.now() + (killAfterMs ?? 0) * US_PER_MS);
    const cancel = killAfterMs === undefined ? undefined : scheduler.at(dueAt, () => void child.kill('SIGKILL')); // prettier-ignore
    const [code, signal] = await ended;
    cancel?.();
    if (code !== 0 && signal !== 'SIGKILL') throw new Error(`It failed: ${output}\n${errors}`);
    const lines = output.trim().split('\n');
    const at = lines.find((line) => line.startsWith(KILLED))?.slice(KILLED.length);
    if (at !== undefined) known?.add(at);
    return { isKilled: signal === 'SIGKILL', lines };
  }

  /** Ends the one that is ready, and one that still lives as a test failed. */
  async close(): Promise<void> {
    for (const { child, ended } of [this.#current, this.#next].filter((one) => one !== undefined)) {
      // One whose output nobody reads never tells that it has ended.
      child.stdout?.resume();
      child.stderr?.resume();
      child.kill('SIGKILL');
      await ended;
    }
  }

  #born(): Born {
    const node = [process.execPath, '--conditions=millrace-source', CHILD];
    const child = spawn('sh', ['-c', `ulimit -f ${this.#limit}; exec "$0" "$@"`, ...node], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // What a killed process covers cannot be counted, and counting would slow it down.
      env: { ...process.env, NODE_V8_COVERAGE: undefined },
    });
    return { child, ended: ended(child) };
  }
}

interface Born {
  readonly child: ChildProcess;
  /** Exit code and signal. */
  readonly ended: ReturnType<typeof ended>;
}

const ended = (child: ChildProcess): Promise<readonly [number | null, string | null]> =>
  new Promise((resolve) => {
    child.once('close', (code, signal) => {
      resolve([code, signal]);
    });
  });
