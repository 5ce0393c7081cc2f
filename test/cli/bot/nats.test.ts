import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import type { CheckResult } from '../../../src/bot/doctor/check-result.ts';
import { TradingClient } from '../../../src/gateways/trading/client/client.ts';
import { NatsServer, testWithNats, WHY } from '../../kit/nats-server.ts';
import { PATIENCE } from '../../kit/patience.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { millraceHere } from '../command.ts';
import { started, type RunningProcess } from '../process.ts';
import { openExample, urlOf } from '../venue/example.ts';

const CREDENTIALS = { VENUE_KEY: 'demo', VENUE_SECRET: 'demo-secret' };

/** A live bot that takes its market from a NATS server and sends its orders to the service. */
const config = (url: string, nats: string): string => `name: subscribed
mode: live
data: data
accounts:
  main:
    url: "${url}"
    key: { env: VENUE_KEY }
    secret: { env: VENUE_SECRET }
    market: { nats: "${nats}" }
strategies:
  bitcoin:
    strategy: market-maker
    parameters: { symbol: BTCUSDT, quantity: '0.001', most: '0.004', edge: '50', refreshMs: 200 }
    budget: { USDT: 5000, BTC: 0.5 }
control: { port: 0 }
`;

/** What the doctor says of the NATS server. */
async function natsDiscrepancies(path: string): Promise<readonly string[]> {
  const { out } = await millraceHere(['doctor', path, '--json'], { env: CREDENTIALS });
  return out
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as CheckResult)
    .filter(({ check }) => check === 'nats')
    .map(({ verdict, about, message }) => `${verdict} ${about ?? ''}: ${message}`);
}

/** Ends with the test, whatever becomes of it. */
function process(args: readonly string[]): RunningProcess {
  const running = started(args, { env: CREDENTIALS });
  onTestFinished(async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

testWithNats(
  `a live bot quotes by a feed that another process publishes, and the doctor says whether it could${WHY}`,
  async () => {
    const simulation = await openExample();
    onTestFinished(() => simulation.close());
    const url = urlOf(simulation);
    const server = await NatsServer.start([], { jetStream: false });
    const path = join(temporaryFolder(), 'bot.yaml');
    writeFileSync(path, config(url, 'nats://127.0.0.1:1'));
    expect(await natsDiscrepancies(path)).toEqual([
      expect.stringMatching(/^fail main: No NATS server answers at 127\.0\.0\.1:1/),
    ]);
    writeFileSync(path, config(url, server.url));
    const venue = new URL(url).host.replaceAll(/\W/g, '-');
    expect(await natsDiscrepancies(path)).toEqual([
      `fail main: Nobody publishes BTCUSDT of ${venue} on ${server.url}.`,
    ]);
    process([
      ...['feed', 'publish', '--nats', server.url, '--url', url],
      ...['--symbols', 'BTCUSDT', '--duration', '10m'],
    ]);
    await vi.waitFor(async () => {
      expect(await natsDiscrepancies(path)).toEqual([
        `ok main: BTCUSDT of ${venue} is published on ${server.url}.`,
      ]);
    }, PATIENCE);

    const bot = process(['run', path]);
    const client = new TradingClient({
      url,
      credentials: { key: 'demo', secret: 'demo-secret', scheme: 'hs256' as const },
    });
    onTestFinished(() => client.close());
    const orders = async (): Promise<number> => (await client.rest.getSpotOrders()).length;
    await vi.waitFor(async () => {
      expect(await orders(), bot.err()).toBeGreaterThan(0);
    }, PATIENCE);
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toMatchObject({ code: 0 });
    expect(await orders()).toBe(0);
  },
  240_000,
);
