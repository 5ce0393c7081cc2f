import { flushCompileCache } from 'node:module';
import { connect } from '../../../src/bot/connection/connect.ts';
import { Bot } from '../../../src/bot/bot.ts';
import type {
  RiskSettings,
  SharedMarginSettings,
  StrategySettings,
} from '../../../src/bot/settings/settings.ts';
import type { Scenario } from './bot-process.ts';
import { decimal } from '../../../src/model/decimal.ts';
import { systemRandom } from '../../../src/platform/system-random.ts';
import { SystemScheduler } from '../../../src/platform/system-scheduler.ts';
import { CCXT_PERPETUAL, CONTRACTS, hitbtcAt } from '../../gateways/ccxt/hitbtc.ts';
import { emptyMeter } from '../meter.ts';
import { churner } from './churner.ts';
import { worker } from './worker.ts';
import { LOST_AFTER_US } from './rules.ts';

/**
 * A bot of its own process, to be killed: `child.ts PORT FOLDER SEED [margin | shared | ccxt | ccxtMargin | algo]`. It says `ready` once it
 * trades, and `sent place` and the like with each request that leaves. Its two strategies trade spot, or
 * one a spot symbol on isolated margin and the other a perpetual on cross margin, or both the perpetual on one
 * cross margin account that they share, or one of them works algo orders.
 */
// Whoever is killed keeps nothing of what it compiled for the next one.
flushCompileCache();
const [, , port = '', data = '', seed = '1', scenario = 'spot'] = process.argv;

const NO_LIMITS: RiskSettings = {
  maxQuantity: new Map(),
  maxNotional: new Map(),
  maxPosition: new Map(),
  maxExposure: new Map(),
  maxDailyLoss: new Map(),
  preventOwnCross: false,
  onBreach: 'halted',
};

interface Place {
  readonly symbol: string;
  readonly on?: 'isolated' | 'cross';
  readonly lots?: number;
}

/** Where each of the strategies trades. */
const PERPETUAL = { symbol: 'ETHUSDT_PERP', on: 'cross', lots: 20 } as const;
const PLACES: Readonly<Record<Scenario, readonly Place[]>> = {
  spot: [{ symbol: 'BTCUSDT' }, { symbol: 'BTCUSDT' }],
  ccxt: [{ symbol: 'BTC/USDT' }, { symbol: 'BTC/USDT' }],
  ccxtMargin: [{ ...PERPETUAL, symbol: CCXT_PERPETUAL }],
  margin: [{ symbol: 'BTCUSDT', on: 'isolated', lots: 100 }, PERPETUAL],
  shared: [PERPETUAL, PERPETUAL],
  algo: [{ symbol: 'BTCUSDT' }, { symbol: 'BTCUSDT' }],
};
const places = PLACES[scenario as Scenario];
const SHARED: SharedMarginSettings = {
  mode: 'cross',
  currency: 'USDT',
  market: 'futures',
  strategies: ['one', 'two'],
};

const strategy = (name: string, number: 0 | 1): StrategySettings => ({
  name,
  account: 'main',
  symbols: [places[number].symbol],
  warmUpUs: 0,
  risk: NO_LIMITS,
  ...(scenario === 'algo'
    ? { strategy: worker, parameters: { symbol: 'BTCUSDT' } }
    : {
        strategy: churner,
        parameters: churner.parameters.parse({
          ...places[number],
          seed: Number(seed) * 2 + number,
        }),
      }),
  onFailure: 'cancel',
  budget: new Map([
    ['USDT', decimal('400000')],
    ['BTC', decimal('10')],
  ]),
});

const scheduler = new SystemScheduler();
const random = systemRandom();
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message: string) => say(`warn ${message}`),
};

const bot = await Bot.open(
  {
    name: 'killed',
    mode: 'live',
    data,
    accounts: [
      {
        name: 'main',
        ...(scenario === 'ccxt' || scenario === 'ccxtMargin'
          ? { gateway: hitbtcAt(`127.0.0.1:${port}`, 'bot', [places[0].symbol], CONTRACTS) }
          : {
              service: {
                url: `http://127.0.0.1:${port}`,
                version: 3,
                credentials: { key: 'bot', secret: 'bot-secret' },
              },
            }),
        market: { kind: 'service' },
        paper: { balances: new Map(), orderUs: 0, reportUs: 0 },
        risk: NO_LIMITS,
        sharedMargin: scenario === 'shared' ? [SHARED] : [],
      },
    ],
    strategies:
      scenario === 'algo' || scenario === 'ccxtMargin'
        ? [strategy('one', 0)]
        : [strategy('one', 0), strategy('two', 1)],
    reconciliation: { everyUs: 500_000, foreignOrders: 'report', lostAfterUs: LOST_AFTER_US },
    shutdown: { orders: 'cancel', withinUs: 10_000_000 },
  },
  {
    scheduler,
    random,
    log,
    meter: { ...emptyMeter(), sent: (_, kind) => say(`sent ${kind}`) },
    connect: (account, { mode }, journal) =>
      connect(account, mode, journal, { scheduler, random, log }),
  },
);

process.once('SIGTERM', () => {
  void bot.close().then(() => {
    say('closed');
    process.exit(0);
  });
});
say('ready');
