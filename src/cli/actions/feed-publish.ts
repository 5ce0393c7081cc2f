import { MarketPublisher } from '../../gateways/nats/publisher.ts';
import { venueName } from '../../gateways/nats/subjects.ts';
import { TradingClient } from '../../gateways/trading/client/client.ts';
import { TradingMarket } from '../../gateways/trading/market/market.ts';
import { connectNats } from '../../messaging/connection.ts';
import type { MillraceError } from '../../model/errors.ts';
import { interruptible } from '../../platform/interruption.ts';
import { systemRandom } from '../../platform/system-random.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { flaggedAddress, type AddressFlags } from '../bot/trading-address.ts';
import { internalError } from '../failure.ts';
import type { Terminal } from '../terminal.ts';
import { ending, instrumentsFor, spanOf, symbolsOf } from './record.ts';
import { natsUrl } from './worker.ts';

/** Flags of `millrace feed publish`. */
export interface PublishFlags extends AddressFlags {
  readonly nats?: string;
  readonly symbols: readonly string[];
  readonly venue?: string;
  readonly duration?: string;
  readonly json?: true;
}

/** Publishes a live feed to NATS until it is stopped, or for a time. */
export async function publish(flags: PublishFlags, terminal: Terminal): Promise<void> {
  const { err, out, env, signals } = terminal;
  const address = flaggedAddress(flags);
  const symbols = symbolsOf(flags.symbols);
  const { venue = venueName(address), duration } = flags;
  const durationUs = duration === undefined ? undefined : spanOf(duration, '--duration');
  const emit = (text: string): void => void err.write(`${text}\n`);
  const warn = ({ message }: MillraceError): void => emit(`warning: ${message}`);
  const scheduler = new SystemScheduler();
  const random = systemRandom();
  const client = new TradingClient({ ...address, scheduler });
  try {
    const connection = await connectNats({
      url: natsUrl(flags.nats, env),
      name: `millrace feed publish ${venue}`,
      env,
    });
    try {
      const instruments = await instrumentsFor(client, symbols, terminal);
      const source = new TradingMarket({ client, scheduler, random, warn });
      const publisher = new MarketPublisher({
        connection,
        venue,
        source,
        instruments,
        scheduler,
        random,
        warn,
        connectionState: (symbol, connectionState, why) => {
          if (connectionState === 'lost')
            emit(`warning: ${symbol} is disconnected: ${why ?? 'it broke'}`);
          else if (flags.json !== true) emit(`${symbol} of ${venue} is live.`);
        },
      });
      const publishing = async (signal: AbortSignal): Promise<void> => {
        const opened = publisher.open().then(() => ending(signal, scheduler, durationUs));
        try {
          await Promise.race([opened, ending(signal, scheduler, undefined)]);
        } finally {
          await publisher.close();
        }
      };
      await interruptible(publishing, internalError, signals);
      const { rows, messages, snapshots } = publisher.status;
      const figures = `${rows} rows in ${messages} messages, ${snapshots} snapshots`;
      out.write(`${flags.json === true ? JSON.stringify(publisher.status) : figures}\n`);
    } finally {
      await connection.close();
    }
  } finally {
    await client.close();
  }
}
