import type { NatsConnection } from '@nats-io/transport-node';
import { MillraceError } from '../../model/errors.ts';

export interface ConnectionListener {
  /** The server is lost, or is there again with all subscriptions. */
  connected(isConnected: boolean): void;
  warn(warning: MillraceError): void;
}

/** Reports the state of a server's connection while it exists. */
export function watchConnection(
  connection: Pick<NatsConnection, 'status'>,
  listener: ConnectionListener,
): void {
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') listener.connected(false);
      if (status.type === 'reconnect') listener.connected(true);
      if (status.type === 'error') {
        listener.warn(
          new MillraceError('unreachable', `The NATS server says: ${status.error.message}.`, {
            cause: status.error,
          }),
        );
      }
    }
  })();
}
