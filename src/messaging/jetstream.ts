import type { JetStreamClient, JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { MillraceError } from '../model/errors.ts';

/** What JetStream says of itself, in two parts as its client has them. */
export interface JetStream {
  readonly manager: JetStreamManager;
  readonly client: JetStreamClient;
}

/** JetStream of a connection. Throws `jetstream-missing` where the server has it switched off. */
export async function jetStreamOf(connection: NatsConnection): Promise<JetStream> {
  const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
  try {
    return { manager: await jetstreamManager(connection), client: jetstream(connection) };
  } catch (cause) {
    throw new MillraceError(
      'jetstream-missing',
      `The NATS server at ${connection.getServer()} offers no JetStream to this user (${cause instanceof Error ? cause.message : String(cause)}). Start it with "nats-server -js -sd FOLDER", or allow JetStream for the account.`,
      { cause },
    );
  }
}

/** Makes a stream, or takes the one that is there. */
export async function ensureStream(
  { manager }: JetStream,
  config: Partial<StreamConfig> & { readonly name: string },
): Promise<void> {
  try {
    await manager.streams.info(config.name);
  } catch (error) {
    if (apiCode(error) !== NO_STREAM) throw error;
    await manager.streams.add(config);
  }
}

/** The code of what the API of JetStream refused. */
export const apiCode = (error: unknown): number | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;

/** "stream not found". */
const NO_STREAM = 10059;
/** "wrong last sequence": what was to be made is there already. */
export const THERE_ALREADY = 10071;
