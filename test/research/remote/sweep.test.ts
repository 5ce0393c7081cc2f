import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { sweep, sweepCsv, type SweepResult } from '../../../src/backtest.ts';
import { connectNats } from '../../../src/messaging/connection.ts';
import { loadedStrategy } from '../../../src/research/settings.ts';
import { definitionOf, upload } from '../../../src/research/remote/definition.ts';
import { micros, US_PER_DAY } from '../../../src/platform/time.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { jobKey, sweepId, type Definition } from '../../../src/research/remote/protocol.ts';
import { stockUp } from '../../../src/research/remote/stock.ts';
import { SweepServer } from '../../../src/research/remote/sweep-server.ts';
import { NatsServer, testWithNats as test, wait, WHY } from '../../kit/nats-server.ts';
import { temporaryFolder, writeRecording } from '../../kit/recordings.ts';
import { laid, rows, startWorker, type Laid } from './laid.ts';

const LIMIT = 120_000;

const textOf = (result: SweepResult): string => sweepCsv(result) + JSON.stringify(result.rows);

async function definitionFor({ options }: Laid): Promise<Definition> {
  const { strategy, recordings, ...settings } = options.backtest;
  const loaded = [await loadedStrategy(strategy)];
  return definitionOf({ settings, loaded, markets: [{ recordings }], ackWaitMs: 1_000 });
}

const openServer = (url: string): Promise<SweepServer> =>
  SweepServer.open({ url, env: {}, name: 'test' });

describe(`a sweep on the workers of a NATS server${WHY}`, () => {
  test(
    'has the rows and the CSV of the same sweep on threads, whatever comes of its runs',
    async () => {
      const { url } = await NatsServer.start();
      const { options } = laid(
        "if (p.at === 25) throw new Error('no idea'); if (p.at === 7) process.exit(3);",
      );
      const given = { ...options, vary: { at: [5, 7, 25, 45, 500], hold: [10, 20] } };
      const local = await sweep(given);
      expect(local.counts).toEqual({ done: 4, infeasible: 0, failed: 4, invalid: 2 });
      const workers = [startWorker(url), startWorker(url, { threads: 2 })];
      const notices: string[] = [];
      const remote = await sweep({
        ...given,
        nats: { url, env: {}, onNotice: (text) => notices.push(text) },
      });
      expect(textOf(remote)).toBe(textOf(local));
      expect(notices).toEqual([`Uploading ${options.backtest.recordings[0]}.`]);
      const runs = await Promise.all(workers.map(({ stop }) => stop()));
      expect(runs[0] + runs[1]).toBe(8);
    },
    LIMIT,
  );

  test(
    'proposes the same sets as on threads where each depends on what came of those before',
    async () => {
      const { url } = await NatsServer.start();
      const { options } = laid();
      const given = { ...options, vary: { at: '1..100', hold: '1..50' }, trials: 24, lag: 4 };
      const guided = { ...given, search: 'tpe' as const };
      startWorker(url, { threads: 2 });
      const remote = await sweep({ ...guided, nats: { url, env: {} } });
      expect(remote.rows).toHaveLength(24);
      expect(textOf(remote)).toBe(textOf(await sweep(guided)));
    },
    LIMIT,
  );

  test(
    'runs no job again that ends while the command that takes the sweep up looks at its results',
    async () => {
      const { url } = await NatsServer.start();
      const { options } = laid();
      const nats = { url, env: {} };
      const server = await openServer(url);
      onTestFinished(() => server.close());
      const queueOf = async (): Promise<number> => {
        const [id] = await server.sweeps();
        const queue = id === undefined ? undefined : await server.queue(id);
        return queue === undefined ? -1 : queue.num_pending + queue.num_ack_pending;
      };
      // As one that was killed, the first command clears nothing away.
      const end = vi.spyOn(SweepServer.prototype, 'end').mockResolvedValueOnce(undefined);
      onTestFinished(() => {
        vi.restoreAllMocks();
      });
      const first = new AbortController();
      const killed = sweep({ ...options, nats, signal: first.signal });
      while ((await queueOf()) < 6) await wait(20);
      first.abort();
      await expect(killed).rejects.toThrow();
      expect(end).toHaveBeenCalledOnce();
      const look = vi.spyOn(SweepServer.prototype, 'resultKeys');
      look.mockImplementationOnce(async () => {
        const { stop } = startWorker(url);
        while ((await queueOf()) > 0) await wait(20);
        expect(await stop()).toBe(6);
        return [];
      });
      const send = vi.spyOn(SweepServer.prototype, 'send');
      const result = await sweep({ ...options, nats });
      expect(send).not.toHaveBeenCalled();
      expect(textOf(result)).toBe(textOf(await sweep(options)));
    },
    LIMIT,
  );

  test(
    'leaves no job, no result and no definition behind on the server',
    async () => {
      const { url } = await NatsServer.start();
      const given = laid();
      startWorker(url);
      await sweep({ ...given.options, nats: { url, env: {} } });
      const server = await openServer(url);
      expect(await server.sweeps()).toEqual([]);
      const id = sweepId(await definitionFor(given));
      expect(await server.resultKeys(id)).toEqual([]);
      expect(await server.queue(id)).toBeUndefined();
      await server.close();
    },
    LIMIT,
  );

  test(
    'keeps a recording on the server for 30 days, and sends it again in the second half of them',
    async () => {
      const { url } = await NatsServer.start();
      const connection = await connectNats({ url, env: {}, name: 'test' });
      // As a release made it whose recordings stayed for ever.
      await new Objm(connection).create('millrace-recordings');
      const streams = (await jetstreamManager(connection)).streams;
      const ages = async (): Promise<number> =>
        (await streams.info('OBJ_millrace-recordings')).config.max_age / 1_000 / US_PER_DAY;
      expect(await ages()).toBe(0);
      const server = await openServer(url);
      expect(await ages()).toBe(30);
      const definition = await definitionFor(laid());
      const sent: string[] = [];
      const now = new SystemScheduler().now();
      for (const days of [0, 1, 14, 16]) {
        await upload(
          server,
          definition,
          () => sent.push(`day ${days}`),
          micros(now + days * US_PER_DAY),
        );
      }
      expect(sent).toEqual(['day 0', 'day 16']);
      const [{ sha256, bytes }] = definition.markets[0].recordings;
      expect(await server.files.info(sha256)).toMatchObject({ size: bytes, deleted: false });
      await server.close();
      await connection.close();
    },
    LIMIT,
  );

  test(
    'runs a strategy of the worker’s own folder, and one that is sent only where that is allowed',
    async () => {
      const { url } = await NatsServer.start();
      const { options } = laid();
      const careful = startWorker(url, { acceptsStrategies: false });
      const notices: string[] = [];
      const running = sweep({
        ...options,
        nats: { url, env: {}, onNotice: (text) => notices.push(text) },
      });
      while (!notices.some((text) => text.includes('--accept-strategies'))) await wait(50);
      expect(careful.troubles[0]).toMatch(/^worker-unfit: There is no strategy swing here/);
      const trusting = startWorker(url);
      expect((await running).counts).toMatchObject({ done: 6 });
      expect(await careful.stop()).toBe(0);
      expect(await trusting.stop()).toBe(6);

      startWorker(url, { acceptsStrategies: false });
      const own = { ...options.backtest, strategy: 'ema-cross' };
      const vary = { fast: [3, 5], slow: [10] };
      const bundled = await sweep({
        ...options,
        backtest: own,
        vary,
        nats: { url, env: {} },
      });
      expect(bundled.counts).toMatchObject({ done: 2 });
    },
    LIMIT,
  );

  test(
    'ends with an error where a run that was made twice came to two results',
    async () => {
      const { url } = await NatsServer.start();
      const given = laid();
      const definition = await definitionFor(given);
      const ackWaitMs = 1_000;
      const running = sweep({ ...given.options, nats: { url, env: {}, ackWaitMs } });
      const failed = expect(running).rejects.toMatchObject({ code: 'run-not-deterministic' });
      const server = await openServer(url);
      const id = sweepId(definition);
      while (((await server.queue(id))?.num_pending ?? 0) < 6) await wait(20);
      const job = { index: 0, strategy: 0, market: 0, parameters: { at: 5, hold: 10 } };
      const figures = { hash: 'f'.repeat(64), metrics: { profit: '1' }, orders: {} } as never;
      await server.store(id, jobKey(job), { outcome: { figures, ms: 1 }, worker: 'liar' });
      startWorker(url);
      await failed;
      await server.close();
    },
    LIMIT,
  );

  test(
    'counts a job that worker after worker is given and none finishes as failed',
    async () => {
      const { url } = await NatsServer.start();
      const given = laid();
      const running = sweep({
        ...given.options,
        vary: { at: [5], hold: [10] },
        nats: { url, env: {}, ackWaitMs: 1_000 },
      });
      const server = await openServer(url);
      const id = sweepId(await definitionFor(given));
      while (((await server.queue(id))?.num_pending ?? 0) < 1) await wait(20);
      const jobs = await server.jobs(id);
      // Takes it and says nothing more, as a worker does that is killed.
      let isOver = false;
      const taking = (async () => {
        let taken = 0;
        while (!isOver) {
          // The queue goes when the sweep is over.
          const job = await jobs.next({ expires: 1_000 }).catch(() => null);
          if (job !== null) taken += 1;
        }
        return taken;
      })();
      const { rows: found, counts } = await running;
      isOver = true;
      expect(await taking).toBe(5);
      expect(counts).toMatchObject({ failed: 1 });
      expect(found[0].fault?.message).toContain('No worker finished this run');
      await server.close();
    },
    LIMIT,
  );

  test(
    'reports that no worker is there, and ends when asked to, with its results kept',
    async () => {
      const { url } = await NatsServer.start();
      const given = laid();
      const controller = new AbortController();
      const running = sweep({
        ...given.options,
        signal: controller.signal,
        nats: {
          url,
          env: {},
          onNotice: (text) => {
            if (text.startsWith('No worker')) controller.abort(new Error('stopped'));
          },
        },
      });
      await expect(running).rejects.toThrow('stopped');
      const server = await openServer(url);
      expect(await server.sweeps()).toEqual([]);
      await server.close();
    },
    LIMIT,
  );
});

describe(`a worker${WHY}`, () => {
  test('names a sweep of another release or Node, and takes none of its jobs', async () => {
    const { url } = await NatsServer.start();
    const server = await openServer(url);
    const definition = { ...(await definitionFor(laid())), node: '12' };
    await server.define('a'.repeat(32), definition);
    const job = { index: 0, strategy: 0, market: 0, parameters: {} };
    await server.send('a'.repeat(32), jobKey(job), job);
    const worker = startWorker(url);
    while (worker.troubles.length === 0) await wait(20);
    expect(worker.troubles[0]).toMatch(/^worker-unfit: .* on Node 12, and this worker is/);
    expect((await server.queue('a'.repeat(32)))?.num_pending).toBe(1);
    await server.close();
  });

  test('takes recordings from a path, a folder by name, or the server, each by its hash', async () => {
    const { url } = await NatsServer.start();
    const given = laid();
    const server = await openServer(url);
    const definition = await definitionFor(given);
    const cache = temporaryFolder();
    const settings = { recordings: [], cache, acceptsStrategies: true };
    const shared = await stockUp(server, definition, settings);
    expect(shared.markets[0].paths).toEqual([given.recording]);

    const [{ recordings }] = definition.markets;
    const [sent] = recordings;
    const moved = { ...sent, path: `/nowhere/${basename(sent.path)}` };
    const elsewhere: Definition = { ...definition, markets: [{ recordings: [moved] }] };
    const mounted = await stockUp(server, elsewhere, { ...settings, recordings: [given.folder] });
    expect(mounted.markets[0].paths).toEqual([given.recording]);
    await expect(stockUp(server, elsewhere, settings)).rejects.toMatchObject({
      code: 'file-missing',
    });

    const { upload } = await import('../../../src/research/remote/definition.ts');
    await upload(server, definition, () => undefined);
    const fetched = await stockUp(server, elsewhere, settings);
    const [path] = fetched.markets[0].paths;
    expect(path.startsWith(cache)).toBe(true);
    expect(readFileSync(path)).toEqual(readFileSync(given.recording));

    await server.files.delete(sent.sha256);
    writeRecording(given.recording, rows(100));
    const fresh = { ...settings, cache: temporaryFolder() };
    await expect(stockUp(server, definition, fresh)).rejects.toMatchObject({
      code: 'recording-changed',
    });
    await expect(upload(server, definition, () => undefined)).rejects.toMatchObject({
      code: 'recording-changed',
    });
    await server.close();
  });

  test('names the folder where what it fetches cannot be kept', async () => {
    const { url } = await NatsServer.start();
    const given = laid();
    const server = await openServer(url);
    const definition = await definitionFor(given);
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const settings = { recordings: [], cache: file, acceptsStrategies: true };
    await expect(stockUp(server, definition, settings)).rejects.toMatchObject({
      code: 'file-unwritable',
      message: expect.stringContaining('--cache') as string,
    });
    await server.close();
  });

  test('writes no module outside of its folder, whatever a sweep sends', async () => {
    const { url } = await NatsServer.start();
    const server = await openServer(url);
    const definition = await definitionFor(laid());
    const cache = temporaryFolder();
    const settings = { recordings: [], cache, acceptsStrategies: true };
    const [sent] = definition.strategies;
    const other = { ...sent, modules: sent.modules.map((each) => ({ ...each, text: '1' })) };
    await expect(
      stockUp(server, { ...definition, strategies: [other] }, settings),
    ).rejects.toMatchObject({ code: 'worker-unfit' });
    expect(existsSync(join(cache, 'strategies', sent.sha256))).toBe(false);
    await server.close();
  });
});

describe(`the connection${WHY}`, () => {
  test('takes credentials from the environment, and no message has them', async () => {
    const { url } = await NatsServer.start(['--user', 'quant', '--pass', 'hunter2']);
    const open = (env: Record<string, string>): Promise<SweepServer> =>
      SweepServer.open({ url, env, name: 'test' });
    const server = await open({ NATS_USER: 'quant', NATS_PASSWORD: 'hunter2' });
    await server.close();
    const refused = open({ NATS_USER: 'quant', NATS_PASSWORD: 'hunter3' });
    await expect(refused).rejects.toMatchObject({
      code: 'login-refused',
      message: expect.not.stringContaining('hunter3') as string,
    });
    const inUrl = SweepServer.open({
      url: url.replace('//', '//quant:hunter2@'),
      env: {},
      name: 'test',
    });
    await expect(inUrl).rejects.toMatchObject({
      code: 'usage',
      message: expect.not.stringContaining('hunter2') as string,
    });
  });

  test('speaks TLS with a certificate authority of its own', async (context) => {
    const folder = temporaryFolder();
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key, '-out', cert],
    ]);
    if (made.status !== 0) {
      context.skip('openssl is not installed');
      return;
    }
    const args = ['--tls', '--tlscert', cert, '--tlskey', key];
    const { url } = await NatsServer.start(args, { scheme: 'tls' });
    const server = await SweepServer.open({ url, env: { NATS_CA: cert }, name: 'test' });
    await server.close();
    const strange = SweepServer.open({ url, env: {}, name: 'test' });
    await expect(strange).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('names a server that is not there, one without JetStream, and an address that is none', async () => {
    const { url } = await NatsServer.start([], { jetStream: false });
    const at = (address: string): Promise<SweepServer> =>
      SweepServer.open({ url: address, env: {}, name: 'test' });
    await expect(at(url)).rejects.toMatchObject({ code: 'jetstream-missing' });
    await expect(at('nats://127.0.0.1:1')).rejects.toMatchObject({ code: 'unreachable' });
    for (const wrong of ['', 'http://127.0.0.1', 'here'])
      await expect(at(wrong)).rejects.toMatchObject({ code: 'usage' });
    const env = { NATS_CREDS: join(temporaryFolder(), 'none') };
    await expect(connectNats({ url, env, name: 'test' })).rejects.toMatchObject({
      code: 'secret-missing',
    });
  });
});
