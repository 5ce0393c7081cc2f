import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished } from 'vitest';
import { sweep, sweepCsv } from '../../../src/backtest.ts';
import { Random } from '../../../src/platform/random.ts';
import { started, type RunningProcess } from '../../cli/process.ts';
import { NatsServer, testWithNats as test, wait, WHY } from '../../kit/nats-server.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { seed, sizeOf } from '../../kit/size.ts';
import { laid, startWorker } from './laid.ts';

/** Kills of workers and of the server, in one sweep. */
const KILLS = sizeOf('MILLRACE_SWEEP_KILLS', 3, 50);
const LIMIT = 120_000 + KILLS * 40_000;

/** Worker processes, each replaced when it was killed. */
class Workers {
  readonly #url: string;
  readonly #running: RunningProcess[] = [];

  constructor(url: string, count: number) {
    this.#url = url;
    for (let index = 0; index < count; index += 1) this.#running.push(this.#start());
    onTestFinished(async () => {
      for (const { child } of this.#running) child.kill('SIGKILL');
      await Promise.all(this.#running.map(({ ended }) => ended));
    });
  }

  async replace(index: number): Promise<void> {
    const { child, ended } = this.#running[index];
    child.kill('SIGKILL');
    await ended;
    this.#running[index] = this.#start();
  }

  #start(): RunningProcess {
    const args = ['worker', '--nats', this.#url, '--threads', '1', '--accept-strategies'];
    return started([...args, '--cache', temporaryFolder()]);
  }
}

describe(`kill -9${WHY}`, () => {
  test(
    `of workers and of the server, ${KILLS} times, loses no run and counts none twice`,
    async () => {
      const random = new Random(seed(11));
      const server = await NatsServer.start();
      const { folder, options } = laid('', 20_000);
      const sets = 30 + KILLS * 12;
      const given = { ...options, vary: { at: `1..${Math.ceil(sets / 6)}`, hold: '10..15' } };
      const store = join(folder, 'remote.sqlite');
      const workers = new Workers(server.url, 2);
      let done = 0;
      const remote = sweep({
        ...given,
        store,
        onProgress: (progress) => (done = progress.done),
        nats: { url: server.url, env: {}, ackWaitMs: 2_000 },
      });
      let isOver = false;
      void remote.finally(() => (isOver = true)).catch(() => undefined);
      const kinds: string[] = [];
      while (done === 0 && !isOver) await wait(50);
      for (let kill = 0; kill < KILLS && !isOver; kill += 1) {
        const kind = random.integer(0, 2);
        kinds.push(['worker', 'other worker', 'server'][kind]);
        if (kind < 2) await workers.replace(kind);
        else {
          await server.kill();
          await wait(random.integer(0, 300));
          await server.run();
        }
        await wait(random.integer(100, 3_000));
      }
      const result = await remote;
      expect(kinds.length, 'the sweep was over before all kills').toBe(KILLS);
      const local = await sweep({ ...given, workers: 2 });
      expect(sweepCsv(result)).toBe(sweepCsv(local));
      expect(JSON.stringify(result.rows)).toBe(JSON.stringify(local.rows));
      expect(done).toBe(result.rows.length);
      const database = new DatabaseSync(store, { readOnly: true });
      const { n } = database.prepare('SELECT count(*) AS n FROM run').get() ?? {};
      database.close();
      expect(n).toBe(result.rows.length);
    },
    LIMIT,
  );

  test(
    'of the coordinator leaves its results on the server, and the same command goes on from there',
    async () => {
      const { url } = await NatsServer.start();
      const { folder, file, recording, options } = laid('', 5_000);
      const configuration = join(folder, 'backtest.yaml');

      writeFileSync(
        configuration,
        `strategy: ${file}\nrecordings: [${recording}]\nbalances: { USDT: 10000 }\nsampleEvery: 1s\n`,
      );
      const out = join(folder, 'out');
      const args = [
        ...['sweep', configuration, '--vary', 'at=1..10', 'hold=10..15', '--objective', 'profit'],
        ...['--out', out, '--nats', url, '--ack-wait', '2s', '--json'],
      ];
      const first = started(args);
      const worker = startWorker(url);
      const count = (): number => {
        try {
          const database = new DatabaseSync(join(out, 'sweep.sqlite'), { readOnly: true });
          const { n } = database.prepare('SELECT count(*) AS n FROM run').get() ?? {};
          database.close();
          return Number(n);
        } catch {
          return 0;
        }
      };
      while (count() < 5) await wait(20);
      first.child.kill('SIGKILL');
      await first.ended;
      const second = started(args);
      expect(await second.ended).toMatchObject({ code: 0 });
      expect(JSON.parse(second.out())).toMatchObject({ counts: { done: 60, failed: 0 } });
      expect(await worker.stop()).toBe(60);
      const { workers: _, ...rest } = options;
      const local = await sweep({ ...rest, vary: { at: '1..10', hold: '10..15' }, workers: 2 });

      expect(readFileSync(join(out, 'results.csv'), 'utf8')).toBe(sweepCsv(local));
    },
    LIMIT,
  );
});
