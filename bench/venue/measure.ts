import { elapsedNs } from '../../src/platform/stopwatch.ts';
import type { Client } from './client.ts';
import type { HostProcess } from './host-process.ts';

/** How many messages a host did in a time. */
export interface Rate {
  readonly perSecond: number;
  /** The same for each second that it had a processor, which says what one core can do. */
  readonly perCoreSecond: number;
}

/**
 * Sends messages over several sockets, each of which has so many under way at most, until every one
 * is answered. `next` makes the message of a socket; `isAnswer` says whether a frame answers one.
 */
export async function throughput(
  host: HostProcess,
  clients: readonly Client[],
  run: {
    readonly messages: number;
    readonly underWay: number;
    readonly next: (client: number) => string;
  },
): Promise<Rate> {
  const each = Math.floor(run.messages / clients.length);
  const before = await host.usage();
  const start = elapsedNs();
  await Promise.all(clients.map((client, index) => pump(client, index, each, run)));
  const tookNs = elapsedNs() - start;
  const after = await host.usage();
  const done = each * clients.length;
  return {
    perSecond: (1e9 * done) / tookNs,
    perCoreSecond: (1e9 * done) / (after.busyNs - before.busyNs),
  };
}

function pump(
  client: Client,
  index: number,
  messages: number,
  { underWay, next }: { readonly underWay: number; readonly next: (client: number) => string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    let answered = 0;
    client.listen((data) => {
      answered += 1;
      if (data.includes('"error"')) reject(new Error(`refused: ${data.toString('utf8')}`));
      if (sent < messages) {
        sent += 1;
        client.send(next(index));
      }
      if (answered === messages) resolve();
    });
    while (sent < Math.min(underWay, messages)) {
      sent += 1;
      client.send(next(index));
    }
  });
}

/** Within how long half and 99 of 100 messages were answered. */
export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Waits until the next turn of the event loop. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * Sends messages at a steady rate, whether the ones before are answered or not, and takes the time
 * from when each was due, so that a host that stands still is not spared the messages of that time.
 */
export async function latency(
  client: Client,
  run: { readonly messages: number; readonly perSecond: number; readonly next: () => string },
): Promise<Latency> {
  const tookNs = new Float64Array(run.messages);
  const gapNs = 1e9 / run.perSecond;
  const start = elapsedNs();
  let answered = 0;
  const done = new Promise<void>((resolve) => {
    client.listen(() => {
      tookNs[answered] = elapsedNs() - (start + answered * gapNs);
      answered += 1;
      if (answered === run.messages) resolve();
    });
  });
  for (let sent = 0; sent < run.messages; await turn()) {
    const due = Math.min(run.messages, Math.floor((elapsedNs() - start) / gapNs) + 1);
    for (; sent < due; sent += 1) client.send(run.next());
  }
  await done;
  tookNs.sort();
  const at = (part: number): number => tookNs[Math.floor(part * (run.messages - 1))] / 1e6;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
