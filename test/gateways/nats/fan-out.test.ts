import { describe, expect, onTestFinished } from 'vitest';
import { NatsMarket } from '../../../src/gateways/nats/market.ts';
import { MarketPublisher, type PublisherConnection } from '../../../src/gateways/nats/publisher.ts';
import { connectNats } from '../../../src/messaging/connection.ts';
import type { MillraceError } from '../../../src/model/errors.ts';
import { eventColumns } from '../../../src/model/events.ts';
import { Instrument } from '../../../src/model/instrument.ts';
import { Random } from '../../../src/platform/random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { NatsServer, testWithNats, WHY } from '../../kit/nats-server.ts';
import { openVenue, type TestVenue } from '../../server/kit.ts';
import {
  Ear,
  instrumentOf,
  listen,
  marketAt,
  place,
  settled,
  trade,
  until,
  wantedOf,
  type ReportedRow,
} from '../trading/market/kit.ts';

const ALL = { trades: true, book: 'full', candles: 'M1' } as const;
let chance = 1;

/** A connection of which a test says what gets lost on its way. */
async function connect(
  url: string,
  loses: () => boolean = () => false,
): Promise<PublisherConnection> {
  const connection = await connectNats({ url, name: 'test', env: {} });
  onTestFinished(() => connection.close());
  return new Proxy(connection, {
    get(target, name) {
      if (name === 'publish' && loses()) return () => undefined;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

async function publish(venue: TestVenue, url: string, loses?: () => boolean) {
  const { market } = marketAt(venue, venue.base);
  const warnings: MillraceError[] = [];
  const publisher = new MarketPublisher({
    connection: await connect(url, loses),
    venue: 'local.1',
    source: market,
    instruments: [instrumentOf(venue, 'BTCUSDT')],
    scheduler: new SystemScheduler(),
    random: new Random((chance += 1)),
    warn: (warning) => warnings.push(warning),
  });
  onTestFinished(() => settled(venue, publisher.close()));
  await settled(venue, publisher.open());
  return { publisher, warnings };
}

async function subscribe(
  venue: TestVenue,
  url: string,
  instrument: Instrument = instrumentOf(venue, 'BTCUSDT'),
) {
  const warnings: MillraceError[] = [];
  const market = new NatsMarket({
    connection: await connect(url),
    venue: 'local.1',
    scheduler: new SystemScheduler(),
    random: new Random((chance += 1)),
    history: () => Promise.resolve(eventColumns(1)),
    warn: (warning) => warnings.push(warning),
  });
  const ear = new Ear();
  onTestFinished(() => market.close());
  const opened = settled(venue, market.open([{ instrument, ...ALL }], ear));
  return { market, ear, warnings, opened };
}

async function live(venue: TestVenue, url: string) {
  const subscriber = await subscribe(venue, url);
  await subscriber.opened;
  await until(venue, () => subscriber.ear.hearings.includes('0 live'));
  return subscriber;
}

/** Rows without the time at which they came. */
const events = (rows: readonly ReportedRow[] = []) => rows.map(({ receivedAt: _, ...row }) => row);
const lives = (ear: Ear): number => ear.hearings.filter((one) => one === '0 live').length;

describe(`a market that is published to NATS${WHY}`, () => {
  testWithNats(
    'tells two subscribers what a socket of their own would, from a snapshot on',
    async () => {
      const { url } = await NatsServer.start([], { jetStream: false });
      const venue = await openVenue();
      await place(venue, 'other', 'sell', '101.00', '1');
      await publish(venue, url);
      const early = await live(venue, url);
      await place(venue, 'other', 'buy', '99.00', '2');
      await until(venue, () => early.ear.book().bids.length === 1);
      const socket = await listen(venue, [wantedOf(venue, 'BTCUSDT', ALL)]);
      const late = await live(venue, url);
      expect(events(late.ear.reported[0])).toEqual(events(socket.ear.reported[0]));
      await trade(venue, '100.00', '0.5');
      await place(venue, 'other', 'buy', '98.50', '3');
      await trade(venue, '100.25', '0.25', 'BTCUSDT', 'sell');
      const ears = [socket.ear, early.ear, late.ear];
      await until(venue, () => ears.every((ear) => ear.of('trade').length === 2));
      await until(venue, () => ears.every((ear) => ear.book().bids.length === 2));
      expect(events(late.ear.reported[0])).toEqual(events(socket.ear.reported[0]));
      expect(events(early.ear.of('trade'))).toEqual(events(socket.ear.of('trade')));
      for (const ear of ears) expect(ear.book()).toEqual(socket.ear.book());
      const { reported } = late.ear;
      const times = (reported[0] ?? []).map(({ receivedAt }) => receivedAt);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    },
    30_000,
  );

  testWithNats(
    'is a gap where a message is lost, and the missed trades are told before the new snapshot',
    async () => {
      const { url } = await NatsServer.start([], { jetStream: false });
      const venue = await openVenue();
      let isLossy = false;
      await publish(venue, url, () => isLossy);
      const { ear } = await live(venue, url);
      await trade(venue, '100.00', '1');
      await until(venue, () => ear.of('trade').length === 1);
      const socket = await listen(venue, [wantedOf(venue, 'BTCUSDT', ALL)]);
      isLossy = true;
      await trade(venue, '100.25', '1');
      await until(venue, () => socket.ear.of('trade').length === 1);
      await place(venue, 'other', 'buy', '99.00', '2');
      await until(venue, () => socket.ear.book().bids.length === 1);
      isLossy = false;
      await until(venue, () => lives(ear) === 2);
      expect(ear.hearings).toEqual(['0 live', '0 lost', '0 live']);
      expect(ear.whys[0]).toMatch(/of its messages are missing, after number/);
      const afterGap = ear.kinds().slice(ear.kinds().indexOf('gap'));
      expect(afterGap).toEqual(['gap', 'trade', 'reset', 'level']);
      expect(ear.of('trade').map(({ price }) => price)).toEqual([10_000, 10_025]);
      expect(ear.book()).toEqual(socket.ear.book());
      expect(ear.isStale()).toBe(false);
    },
    30_000,
  );

  testWithNats(
    'is lost where the publisher says nothing for a while, and asked for again',
    async () => {
      const { url } = await NatsServer.start([], { jetStream: false });
      const venue = await openVenue();
      let isSilent = false;
      await publish(venue, url, () => isSilent);
      const { ear } = await live(venue, url);
      isSilent = true;
      await until(venue, () => ear.hearings.includes('0 lost'));
      isSilent = false;
      expect(ear.whys).toEqual(['its publisher said nothing for 3.5 s']);
      await until(venue, () => lives(ear) === 2);
      expect(ear.isStale()).toBe(false);
    },
    30_000,
  );

  testWithNats(
    'is not opened where publisher and subscriber count in different steps',
    async () => {
      const { url } = await NatsServer.start([], { jetStream: false });
      const venue = await openVenue();
      await publish(venue, url);
      const { terms } = instrumentOf(venue, 'BTCUSDT');
      const other = new Instrument({ ...terms, tickSize: '0.5' });
      const { opened } = await subscribe(venue, url, other);
      await expect(opened).rejects.toMatchObject({
        code: 'instrument-invalid',
        message: expect.stringContaining('in steps of 0.01 and 0.00001, not of 0.5 and 0.00001'),
      });
    },
    30_000,
  );

  testWithNats(
    'is lost with the server, and comes back with it',
    async () => {
      const server = await NatsServer.start([], { jetStream: false });
      const venue = await openVenue();
      await publish(venue, server.url);
      await place(venue, 'other', 'buy', '99.00', '2');
      const { ear } = await live(venue, server.url);
      await server.kill();
      await until(venue, () => ear.hearings.at(-1) === '0 lost');
      expect(ear.isStale()).toBe(true);
      expect(ear.kinds().at(-1)).toBe('gap');
      await trade(venue, '100.00', '1');
      await place(venue, 'other', 'buy', '98.00', '1');
      await server.run();
      await until(venue, () => lives(ear) === 2);
      await until(venue, () => ear.book().bids.length === 2);
      expect(ear.of('trade').map(({ price }) => price)).toEqual([10_000]);
      expect(ear.isStale()).toBe(false);
    },
    40_000,
  );

  testWithNats(
    'is lost where the publisher ends, and goes on with the next one',
    async () => {
      const { url } = await NatsServer.start([], { jetStream: false });
      const venue = await openVenue();
      await place(venue, 'other', 'buy', '99.00', '2');
      const { publisher } = await publish(venue, url);
      const { ear, warnings } = await live(venue, url);
      await settled(venue, publisher.close());
      await until(venue, () => ear.hearings.at(-1) === '0 lost');
      expect(ear.isStale()).toBe(true);
      expect(ear.whys).toEqual(['its publisher has ended']);
      await place(venue, 'other', 'buy', '98.00', '1');
      await publish(venue, url);
      await until(venue, () => lives(ear) === 2);
      expect(ear.book().bids).toEqual([
        [9_900, 200_000],
        [9_800, 100_000],
      ]);
      expect(warnings.map(({ code }) => code)).toContain('service-unavailable');
    },
    40_000,
  );

  testWithNats(
    'is not opened for a symbol that the publisher does not have',
    async () => {
      const { url } = await NatsServer.start([], { jetStream: false });
      const venue = await openVenue();
      await publish(venue, url);
      const { opened } = await subscribe(venue, url, instrumentOf(venue, 'ETHUSDT'));
      await expect(opened).rejects.toMatchObject({
        code: 'symbol-unknown',
        message: 'The publisher of local.1 has no ETHUSDT; it has BTCUSDT.',
      });
      await expect(publish(venue, url)).rejects.toThrow(/Another publisher has the venue local.1/);
    },
    30_000,
  );
});
