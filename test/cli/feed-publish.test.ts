import { expect, onTestFinished } from 'vitest';
import { liveMarket } from '../../src/bot/connection/live.ts';
import { NatsMarket } from '../../src/gateways/nats/market.ts';
import { decimal } from '../../src/model/decimal.ts';
import { MillraceError } from '../../src/model/errors.ts';
import { Random } from '../../src/platform/random.ts';
import { SystemScheduler } from '../../src/platform/system-scheduler.ts';
import { Ear } from '../gateways/trading/market/kit.ts';
import { there } from '../kit/patience.ts';
import { NatsServer, testWithNats, WHY } from '../kit/nats-server.ts';
import { limitsOf } from '../risk/view.ts';
import { lastJson, millraceHere } from './command.ts';
import { openExample, urlOf } from './venue/example.ts';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** The market that an account of a bot gets whose configuration names a NATS server. */
const accountMarket = (url: string, nats: string, venue?: string) =>
  liveMarket(
    {
      name: 'main',
      service: { version: 3, url, credentials: undefined },
      market: { kind: 'nats', url: nats, venue, env: {} },
      paper: { balances: new Map([['USDT', decimal('1')]]), orderUs: 0, reportUs: 0 },
      risk: limitsOf({}),
    },
    { scheduler: new SystemScheduler(), random: new Random(1), log },
  );

testWithNats(
  `a published feed reaches the accounts of bots that name the server, with contracts${WHY}`,
  async () => {
    const simulation = await openExample();
    onTestFinished(() => simulation.close());
    const url = urlOf(simulation);
    const server = await NatsServer.start([], { jetStream: false });
    const publishing = millraceHere([
      ...['feed', 'publish', '--nats', server.url, '--url', url],
      ...['--symbols', 'BTCUSDT,ETHUSDT_PERP', '--duration', '12s', '--json'],
    ]);
    const { market, instruments, close } = await accountMarket(url, server.url);
    expect(market).toBeInstanceOf(NatsMarket);
    const ear = new Ear();
    const of = (symbol: string) => {
      const instrument = instruments.find((one) => one.symbol === symbol);
      if (instrument === undefined) throw new Error(symbol);
      return { instrument, trades: true, book: 'full', derivatives: true } as const;
    };
    await market.open([of('BTCUSDT'), of('ETHUSDT_PERP')], ear);
    await there(() => ear.hearings.length >= 2 && ear.of('trade').length > 0);
    await there(() => ear.of('mark', 1).length > 0 && ear.of('funding', 1).length > 0);
    expect(ear.book().bids.length).toBeGreaterThan(0);
    expect(ear.isStale()).toBe(false);
    const ended = await publishing;
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(lastJson(ended)).toMatchObject({ snapshots: 2 });
    await there(() => ear.hearings.filter((one) => one.endsWith('lost')).length === 2);
    expect(ear.isStale()).toBe(true);
    await market.close();
    await close();
  },
  60_000,
);

testWithNats(
  `an account whose NATS server does not answer is refused at its start${WHY}`,
  async () => {
    const simulation = await openExample();
    onTestFinished(() => simulation.close());
    const rejected = accountMarket(urlOf(simulation), 'nats://127.0.0.1:1');
    await expect(rejected).rejects.toThrow(MillraceError);
    await expect(rejected).rejects.toThrow(/No NATS server answers at 127\.0\.0\.1:1/);
  },
  30_000,
);
