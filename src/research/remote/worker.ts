import { hostname } from 'node:os';
import { messageOf } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import type { Environment } from '../../messaging/connection.ts';
import { pause } from '../../platform/pause.ts';
import type { Scheduler } from '../../platform/scheduler.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { micros, US_PER_SECOND } from '../../platform/time.ts';
import { readDefinition } from './protocol.ts';
import { SweepService, type WorkerListener } from './service.ts';
import { SweepServer } from './sweep-server.ts';
import { stockUp, type StockSettings } from './stock.ts';

/** Time between two checks for a sweep that needs workers. */
const POLL_US = US_PER_SECOND;
/** Delay before a sweep that this worker cannot serve is tried again. */
const UNFIT_US = 30 * US_PER_SECOND;

export interface WorkerSettings extends StockSettings {
  readonly url: string;
  readonly env: Environment;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly listener: WorkerListener;
}

/**
 * Runs jobs of the sweeps on a NATS server, one sweep at a time, until the signal: then unfinished
 * jobs return to the queue at once. Throws the errors of the first connection; later it reconnects
 * by itself.
 */
export async function runWorker(settings: WorkerSettings): Promise<void> {
  const { url, env, signal, listener } = settings;
  const worker = `${hostname()}-${process.pid}`;
  const server = await SweepServer.open({ url, env, name: `millrace worker ${worker}` });
  const scheduler = new SystemScheduler();
  const unfitTill = new Map<string, number>();
  listener.ready(worker);
  try {
    while (!signal.aborted) {
      try {
        const isServed = await serveOne(server, { settings, worker, scheduler, unfitTill });
        if (!isServed) await pause(scheduler, POLL_US, signal);
      } catch (error) {
        if (server.connection.isClosed()) throw error;
        listener.trouble('unreachable', `The NATS server does not answer (${messageOf(error)}).`);
        await pause(scheduler, POLL_US, signal);
      }
    }
  } finally {
    await server.close();
  }
}

interface Serving {
  readonly settings: WorkerSettings;
  readonly worker: string;
  readonly scheduler: Scheduler;
  /** Sweeps that cannot be served, and when they are tried again. */
  readonly unfitTill: Map<string, number>;
}

/** Serves the first possible sweep until it has no job. False if there is none. */
async function serveOne(server: SweepServer, serving: Serving): Promise<boolean> {
  const { settings, worker, scheduler, unfitTill } = serving;
  const { listener, signal, threads } = settings;
  let isServed = false;
  for (const sweep of await server.sweeps()) {
    if (signal.aborted || (unfitTill.get(sweep) ?? 0) > scheduler.now()) continue;
    const [definition, queue] = [await server.definition(sweep), await server.queue(sweep)];
    if (definition === undefined || queue === undefined) continue;
    if (queue.num_pending + queue.num_ack_pending === 0) continue;
    try {
      const read = readDefinition(definition);
      const stocked = await stockUp(server, read, settings);
      listener.began(sweep);
      const service = new SweepService({
        server,
        sweep,
        worker,
        threads,
        scheduler,
        listener,
        ackWaitMs: read.ackWaitMs,
        setup: { settings: read.settings, ...stocked },
        folders: read.strategies.map(({ folder }, index) => [stocked.strategies[index], folder]),
      });
      await service.run(signal);
      isServed = true;
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error;
      const { code, message } = error;
      listener.trouble(code, message);
      server.note(sweep, { worker, code, message });
      unfitTill.set(sweep, micros(scheduler.now() + UNFIT_US));
    }
  }
  return isServed;
}
