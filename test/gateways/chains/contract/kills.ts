import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { wait } from '../../../kit/nats-server.ts';
import { sizeOf } from '../../../kit/size.ts';
import type { ChainUnderTest } from './harness.ts';

const PAYER = fileURLToPath(new URL('./payer.ts', import.meta.url));
/** Writes and sends of one payment, before and after each: 4 writes, 1 send. */
const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** Around the journaling of what was signed, and around the send. */
const USUAL = [4, 7, 8];

/** How many moments are tried: `MILLRACE_CHAIN_KILLS` says it, 10 are all. */
export const MOMENTS = ((): readonly number[] => {
  const size = sizeOf('MILLRACE_CHAIN_KILLS', USUAL.length, ALL.length);
  return size <= USUAL.length ? USUAL.slice(0, size) : ALL.slice(0, size);
})();

/** What a process is told on its command line. */
export interface Errand {
  /** A payment where absent; else an allowance of permit2. */
  readonly job?: 'pay' | 'permit';
  readonly module: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly folder: string;
  readonly to: string;
  readonly lots: string;
  /** The id of the payment. */
  readonly id: string;
  /** At which write or send it ends itself; 0 for none. */
  readonly killAt: number;
}

/** Kills a process that pays at each moment, starts it again, and counts what has arrived. */
export async function checkKills(chain: ChainUnderTest): Promise<void> {
  let times = 0n;
  for (const killAt of MOMENTS) {
    times += 1n;
    const errand = {
      ...chain.payer,
      folder: mkdtempSync(join(tmpdir(), 'payer-')),
      to: chain.other,
      lots: `${chain.lots}`,
      id: `p/${killAt}`,
    };
    expect(await run(chain, { ...errand, killAt })).toBe('SIGKILL');
    expect(await run(chain, { ...errand, killAt: 0 })).toMatch(/^0: arrived/);
    expect(await chain.held(chain.token, chain.other)).toBe(times * chain.lots);
  }
}

/** Runs the process to its end, while blocks are mined; gives its signal, or its code and output. */
export async function run(chain: ChainUnderTest, errand: Errand): Promise<string> {
  const child = spawn(process.execPath, [PAYER, JSON.stringify(errand)], { stdio: ['ignore', 'pipe', 'inherit'] }); // prettier-ignore
  let out = '';
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver) {
    await chain.finalize();
    await Promise.race([ended, wait(50)]);
  }
  const [code, signal] = await ended;
  return signal ?? `${code ?? 0}: ${out}`;
}
