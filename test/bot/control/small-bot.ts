import { MillraceError } from '../../../src/model/errors.ts';
import { micros } from '../../../src/platform/time.ts';
import type {
  BalanceLine,
  OtherBalanceLine,
  UnknownBalanceLine,
  BotStatus,
  BotApi,
  MarginAccountLine,
  MarginPositionLine,
  Operation,
  OrderLine,
  PositionLine,
  StrategyStatus,
} from '../../../src/bot/api/bot-api.ts';
import { stricter, type TradingState } from '../../../src/risk/state.ts';

const STATE_AFTER: Readonly<Record<Operation, TradingState>> = {
  pause: 'halted',
  resume: 'running',
  'reset-loss': 'running',
  reduce: 'reducing',
  halt: 'halted',
  kill: 'killed',
  flatten: 'halted',
};

const CANCELS: ReadonlySet<Operation> = new Set(['halt', 'kill', 'flatten']);

export const BEGAN = micros(Date.parse('2026-11-21T10:00:00Z') * 1_000);

const order = (strategy: string, number: number): OrderLine => ({
  strategy,
  account: 'main',
  clientOrderId: `${strategy}-000000${number}`,
  symbol: 'BTCUSDT',
  side: number % 2 === 0 ? 'sell' : 'buy',
  type: 'limit',
  status: 'new',
  quantity: '0.50000',
  executed: '0.10000',
  price: '62000.01',
  sentAt: BEGAN,
});

/** A bot without a market: it keeps orders, positions and states, and does what operators tell it. */
export class SmallBot implements BotApi {
  ready = true;
  /** Its margin accounts, and what is held on them. */
  margin: readonly MarginAccountLine[] = [];
  marginPositions: readonly MarginPositionLine[] = [];
  /** Balances beside spot. */
  others: readonly OtherBalanceLine[] = [];
  /** Places of which nothing is known. */
  unknown: readonly UnknownBalanceLine[] = [];
  /** Thrown by the next operation. */
  fault: Error | undefined;
  changed: { taken: readonly string[]; needsRestart: readonly string[] } = {
    taken: ['strategies.one.risk'],
    needsRestart: [],
  };
  readonly reported: (readonly [string, string | undefined])[] = [];
  #orders: readonly OrderLine[] = [order('one', 1), order('one', 2), order('two', 3)];
  #positions: readonly PositionLine[] = [
    {
      strategy: 'one',
      symbol: 'BTCUSDT',
      accountType: 'spot',
      quantity: '0.3',
      entry: '61000.5',
      value: '18600.003',
    },
    { strategy: 'two', symbol: 'ETHUSDT', accountType: 'spot', quantity: '0' },
  ];
  readonly #states = new Map<string, TradingState>([
    ['one', 'running'],
    ['two', 'running'],
  ]);

  status(): BotStatus {
    const states = [...this.#states.values()];
    return {
      name: 'small',
      mode: 'paper',
      pid: 4711,
      startedAt: BEGAN,
      at: micros(BEGAN + 3_600_000_000),
      state: states.every((state) => state === 'killed') ? 'killed' : 'running',
      accounts: [
        {
          name: 'main',
          state: 'running',
          connectionState: this.ready ? 'live' : 'lost',
          why: this.ready ? undefined : 'the socket is silent',
          reconciledAt: BEGAN,
          discrepancies: 2,
          orphanOrders: 0,
          margin: this.margin,
          markets: {
            BTCUSDT: { connectionState: 'live', lastAt: BEGAN },
            ETHUSDT: { connectionState: 'lost' },
          },
        },
      ],
      strategies: [...this.#states].map(([name, state]) => this.#strategy(name, state)),
    };
  }

  #strategy(name: string, state: TradingState): StrategyStatus {
    return {
      name,
      ownState: state,
      strategy: 'market-maker',
      account: 'main',
      symbols: ['BTCUSDT'],
      state,
      why: state === 'running' ? undefined : 'An operator said so.',
      session: 'running',
      openOrders: this.#orders.filter(({ strategy }) => strategy === name).length,
      unknownOrders: name === 'two' ? 1 : 0,
      dayResult: { USDT: name === 'one' ? '-12.5' : '3' },
    };
  }

  orders(): readonly OrderLine[] {
    return this.#orders;
  }

  positions(): readonly PositionLine[] {
    return [...this.#positions, ...this.marginPositions];
  }

  allBalances(): Promise<readonly (BalanceLine | UnknownBalanceLine)[]> {
    return Promise.resolve([...this.balances(), ...this.unknown]);
  }

  balances(): readonly BalanceLine[] {
    return [
      {
        account: 'main',
        accountType: 'spot',
        currency: 'USDT',
        available: '99000.000000000000000001',
        reserved: '1000',
      },
      ...this.others,
      ...this.margin,
    ];
  }

  isReady(): boolean {
    return this.ready;
  }

  async operate(operation: Operation, strategy?: string): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
    if (strategy !== undefined && !this.#states.has(strategy)) {
      throw new MillraceError('usage', `This bot has no strategy "${strategy}"; it has one, two.`);
    }
    this.reported.push([operation, strategy]);
    const meant = [...this.#states.keys()].filter((name) => name === (strategy ?? name));
    for (const name of meant) {
      const after = STATE_AFTER[operation];
      const before = this.#states.get(name) ?? after;
      this.#states.set(name, operation === 'resume' ? after : stricter(before, after));
    }
    if (CANCELS.has(operation)) {
      this.#orders = this.#orders.filter((one) => !meant.includes(one.strategy));
    }
    if (operation === 'flatten') {
      this.#positions = this.#positions.filter((one) => !meant.includes(one.strategy));
    }
  }

  async reload(): ReturnType<BotApi['reload']> {
    if (this.fault !== undefined) throw this.fault;
    this.reported.push(['reload', undefined]);
    return this.changed;
  }
}
