import type { Consumer, ConsumerInfo } from '@nats-io/jetstream';
import type { KV, KvWatchEntry } from '@nats-io/kv';
import type { ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectNats, type NatsSettings } from '../../messaging/connection.ts';
import {
  apiCode,
  ensureStream,
  jetStreamOf,
  THERE_ALREADY,
  type JetStream,
} from '../../messaging/jetstream.ts';
import type { Job } from '../sweep/runner.ts';
import { DELIVERIES_MAX, type Definition, type RemoteResult, type WorkerNote } from './protocol.ts';

const STREAM = 'MILLRACE_JOBS';
const SWEEPS = 'millrace-sweeps';
const RESULTS = 'millrace-results';
const FILES = 'millrace-recordings';

/** How long unfetched results and sweeps are kept, and recordings. */
export const RETENTION_MS = 30 * 24 * 3_600_000;
/** Most jobs that workers of one sweep have in hand. */
const IN_HAND_MAX = 100_000;

const jobsOf = (sweep: string): string => `millrace.jobs.${sweep}`;
const jobSubject = (sweep: string, key: string): string => `${jobsOf(sweep)}.${key}`;
const notesOf = (sweep: string): string => `millrace.notes.${sweep}`;

/**
 * Sweeps on a NATS server: their definitions, their jobs as a work queue, results by
 * create-if-absent, and recordings by their content. Only results are reliable: acknowledgements,
 * message ids and the length of the queue can be wrong after a crash of the server.
 */
export class SweepServer {
  readonly connection: NatsConnection;
  readonly #jetStream: JetStream;
  readonly #sweeps: KV;
  readonly #results: KV;
  readonly #files: ObjectStore;

  private constructor(
    connection: NatsConnection,
    jetStream: JetStream,
    stores: readonly [KV, KV, ObjectStore],
  ) {
    this.connection = connection;
    this.#jetStream = jetStream;
    [this.#sweeps, this.#results, this.#files] = stores;
  }

  /** Throws the errors of connecting, and `jetstream-missing`. */
  static async open(settings: NatsSettings): Promise<SweepServer> {
    const connection = await connectNats(settings);
    try {
      const jetStream = await jetStreamOf(connection);
      const [{ Kvm }, { Objm, StorageType }, { RetentionPolicy, DiscardPolicy }] =
        await Promise.all([
          import('@nats-io/kv'),
          import('@nats-io/obj'),
          import('@nats-io/jetstream'),
        ]);
      const storage = StorageType.File;
      await ensureStream(jetStream, {
        name: STREAM,
        subjects: ['millrace.jobs.>'],
        storage,
        retention: RetentionPolicy.Workqueue,
        discard: DiscardPolicy.New,
      });
      const kvm = new Kvm(connection);
      const sweeps = await kvm.create(SWEEPS, { history: 1, storage, ttl: RETENTION_MS });
      const results = await kvm.create(RESULTS, { history: 1, storage, ttl: RETENTION_MS });
      const { nanos } = await import('@nats-io/transport-node');
      const ttl = nanos(RETENTION_MS);
      const files = await new Objm(connection).create(FILES, { storage, ttl });
      // An older stream gets the same limit.
      const stream = `OBJ_${FILES}`;
      const { config } = await jetStream.manager.streams.info(stream);
      if (config.max_age !== ttl) await jetStream.manager.streams.update(stream, { max_age: ttl });
      return new SweepServer(connection, jetStream, [sweeps, results, files]);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Announces a sweep to workers; an existing one is the same. */
  async define(sweep: string, definition: Definition): Promise<void> {
    await this.#sweeps.put(sweep, JSON.stringify(definition));
    const { AckPolicy } = await import('@nats-io/jetstream');
    const { nanos } = await import('@nats-io/transport-node');
    await this.#jetStream.manager.consumers.add(STREAM, {
      durable_name: sweep,
      filter_subject: `${jobsOf(sweep)}.*`,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(definition.ackWaitMs),
      max_deliver: DELIVERIES_MAX,
      max_ack_pending: IN_HAND_MAX,
    });
  }

  /** Sweeps that need workers, the oldest first. */
  async sweeps(): Promise<readonly string[]> {
    const ids: string[] = [];
    for await (const id of await this.#sweeps.keys()) ids.push(id);
    return ids;
  }

  async definition(sweep: string): Promise<Uint8Array | undefined> {
    const entry = await this.#sweeps.get(sweep);
    return entry === null || entry.operation !== 'PUT' ? undefined : entry.value;
  }

  /** Adds a job to the queue, unless it is there. */
  async send(sweep: string, key: string, job: Job): Promise<void> {
    try {
      await this.#jetStream.client.publish(jobSubject(sweep, key), JSON.stringify(job), {
        expect: { lastSubjectSequence: 0 },
      });
    } catch (error) {
      if (apiCode(error) !== THERE_ALREADY) throw error;
    }
  }

  /** Keys of the jobs in the queue or in hand. */
  async queued(sweep: string): Promise<readonly string[]> {
    const jobs = jobsOf(sweep);
    const { state } = await this.#jetStream.manager.streams.info(STREAM, {
      subjects_filter: `${jobs}.>`,
    });
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(jobs.length + 1));
  }

  /** Removes a job from the queue, wherever it is. */
  async drop(sweep: string, key: string): Promise<void> {
    await this.#jetStream.manager.streams.purge(STREAM, { filter: jobSubject(sweep, key) });
  }

  /** State of a sweep's queue; undefined if there is none. */
  async queue(sweep: string): Promise<ConsumerInfo | undefined> {
    try {
      return await this.#jetStream.manager.consumers.info(STREAM, sweep);
    } catch (error) {
      if (apiCode(error) === undefined) throw error;
      return undefined;
    }
  }

  jobs(sweep: string): Promise<Consumer> {
    return this.#jetStream.client.consumers.get(STREAM, sweep);
  }

  /** Calls `listener` with the key of each job that reached its limit of deliveries. */
  onGivenUp(sweep: string, listener: (key: string) => void): void {
    const subject = `$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${STREAM}.${sweep}`;
    this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error !== null) return;
        const { stream_seq: seq } = message.json<{ stream_seq: number }>();
        void this.#jetStream.manager.streams.getMessage(STREAM, { seq }).then(
          (stored) => {
            if (stored !== null) listener(stored.subject.slice(jobsOf(sweep).length + 1));
          },
          () => undefined,
        );
      },
    });
  }

  /** Stores a result, unless there is one, which is returned. */
  async store(sweep: string, key: string, result: RemoteResult): Promise<RemoteResult | undefined> {
    try {
      await this.#results.create(`${sweep}.${key}`, JSON.stringify(result));
      return undefined;
    } catch (error) {
      if (apiCode(error) !== THERE_ALREADY) throw error;
      const found = await this.result(sweep, key);
      if (found === undefined) throw error;
      return found;
    }
  }

  /** Stores that a run had another result than the stored one. */
  async dispute(sweep: string, key: string, result: RemoteResult): Promise<void> {
    await this.#results.put(`${sweep}.${key}.other`, JSON.stringify(result));
  }

  async result(sweep: string, key: string): Promise<RemoteResult | undefined> {
    const entry = await this.#results.get(`${sweep}.${key}`);
    return entry === null || entry.operation !== 'PUT' ? undefined : entry.json<RemoteResult>();
  }

  /** Keys of all stored results. */
  async resultKeys(sweep: string): Promise<readonly string[]> {
    const keys: string[] = [];
    for await (const key of await this.#results.keys(`${sweep}.>`)) {
      keys.push(key.slice(sweep.length + 1));
    }
    return keys;
  }

  async forget(sweep: string, key: string): Promise<void> {
    await this.#results.purge(`${sweep}.${key}`);
  }

  /** Stored results, then new ones; the key of a dispute has the suffix `.other`. */
  async *results(sweep: string): AsyncGenerator<{ key: string; result: RemoteResult }, void> {
    const entries = await this.#results.watch({ key: `${sweep}.>`, ignoreDeletes: true });
    for await (const entry of entries as AsyncIterable<KvWatchEntry>) {
      if (entry.operation !== 'PUT') continue;
      yield { key: entry.key.slice(sweep.length + 1), result: entry.json<RemoteResult>() };
    }
  }

  note(sweep: string, note: WorkerNote): void {
    this.connection.publish(notesOf(sweep), JSON.stringify(note));
  }

  onNote(sweep: string, listener: (note: WorkerNote) => void): void {
    this.connection.subscribe(notesOf(sweep), {
      callback: (error, message) => {
        if (error === null) listener(message.json<WorkerNote>());
      },
    });
  }

  get files(): ObjectStore {
    return this.#files;
  }

  /** Ends a sweep: workers leave it. Its results stay with `keepsResults`. */
  async end(sweep: string, { keepsResults }: { readonly keepsResults: boolean }): Promise<void> {
    const { manager } = this.#jetStream;
    await manager.streams.purge(`KV_${SWEEPS}`, { filter: `$KV.${SWEEPS}.${sweep}` });
    await manager.consumers.delete(STREAM, sweep).catch(() => undefined);
    await manager.streams.purge(STREAM, { filter: `${jobsOf(sweep)}.>` });
    if (keepsResults) return;
    await manager.streams.purge(`KV_${RESULTS}`, { filter: `$KV.${RESULTS}.${sweep}.>` });
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
