import { Gauge, type Registry } from '@prometheus-io/client';
import { US_PER_SECOND } from '../../../platform/time.ts';
import type {
  AccountStatus,
  BalanceLine,
  BotStatus,
  BotApi,
  StrategyStatus,
} from '../../api/bot-api.ts';
import { MarginMetrics, type GaugeMaker } from './margin-metrics.ts';
import { TRADING_STATES, type TradingState } from '../../../risk/state.ts';

/**
 * State of a bot at the time of a scrape: orders, states, connections, money. Prometheus knows doubles
 * alone, so amounts are rounded to 15 digits here; the control API has the exact ones.
 */
export class MetricsSnapshot {
  readonly #gauges: readonly Gauge[];
  readonly #ready: Gauge;
  readonly #state: Gauge<'state'>;
  readonly #strategyState: Gauge<'strategy' | 'state'>;
  readonly #open: Gauge<'strategy' | 'account'>;
  readonly #unknown: Gauge<'strategy' | 'account'>;
  readonly #dayResult: Gauge<'strategy' | 'currency'>;
  readonly #value: Gauge<'strategy' | 'symbol'>;
  readonly #quantity: Gauge<'strategy' | 'symbol'>;
  readonly #accountState: Gauge<'account' | 'state'>;
  readonly #live: Gauge<'account'>;
  readonly #reconciled: Gauge<'account'>;
  readonly #marketLive: Gauge<'account' | 'symbol'>;
  readonly #marketLast: Gauge<'account' | 'symbol'>;
  readonly #balance: Gauge<'account' | 'currency' | 'part'>;
  readonly #otherBalance: Gauge<'account' | 'account_type' | 'currency' | 'part'>;
  readonly #notifications: Gauge<'target' | 'outcome'>;
  readonly #margin: MarginMetrics;

  constructor(registry: Registry) {
    const gauges: Gauge[] = [];
    const gauge: GaugeMaker = <L extends string = never>(
      name: string,
      help: string,
      labelNames: L[] = [],
    ) => {
      const made = new Gauge<L>({ name: `millrace_${name}`, help, labelNames, registers: [] });
      registry.registerMetric(made);
      gauges.push(made);
      return made;
    };
    this.#ready = gauge('ready', '1 while the bot trades: recovered, connected, running.');
    this.#state = gauge('state', '1 for the state of the bot, 0 for the others.', ['state']);
    this.#strategyState = gauge(
      'strategy_state',
      '1 for the state of the strategy, 0 for others.',
      ['strategy', 'state'],
    );
    this.#open = gauge('orders_open', 'Orders that have not ended.', ['strategy', 'account']);
    this.#unknown = gauge('orders_unknown', 'Orders whose outcome is unknown.', [
      'strategy',
      'account',
    ]);
    this.#dayResult = gauge('day_result', 'Result since midnight UTC, in the quote currency.', [
      'strategy',
      'currency',
    ]);
    this.#value = gauge('position_value', 'Value of what is held, in the quote currency.', [
      'strategy',
      'symbol',
    ]);
    this.#quantity = gauge('position_quantity', 'What is held of the base currency.', [
      'strategy',
      'symbol',
    ]);
    this.#accountState = gauge('account_state', '1 for the state of the account, 0 for others.', [
      'account',
      'state',
    ]);
    this.#live = gauge('account_live', '1 while the account is connected.', ['account']);
    this.#reconciled = gauge(
      'account_reconciled_timestamp_seconds',
      'When the account was compared with the journal last.',
      ['account'],
    );
    this.#marketLive = gauge('market_live', '1 while the market is connected.', [
      'account',
      'symbol',
    ]);
    this.#marketLast = gauge(
      'market_last_timestamp_seconds',
      'When something of the market came last.',
      ['account', 'symbol'],
    );
    this.#balance = gauge('balance', 'Balance of the account; part is available or reserved.', [
      'account',
      'currency',
      'part',
    ]);
    this.#otherBalance = gauge(
      'other_balance',
      'Balance of the wallet or of derivatives, where somebody looks at it; part is available, reserved or reserved_margin.',
      ['account', 'account_type', 'currency', 'part'],
    );
    this.#notifications = gauge(
      'notifications',
      'Notifications of this run by target; outcome is sent, dropped or waiting.',
      ['target', 'outcome'],
    );
    this.#margin = new MarginMetrics(gauge);
    this.#gauges = gauges;
  }

  /** Sets all gauges to the bot's state and removes obsolete series. */
  take(bot: BotApi): void {
    for (const gauge of this.#gauges) gauge.reset();
    const status: BotStatus = bot.status();
    this.#ready.set(bot.isReady() ? 1 : 0);
    for (const state of TRADING_STATES) this.#state.set({ state }, isSame(state, status.state));
    for (const strategy of status.strategies) this.#strategy(strategy);
    for (const account of status.accounts) this.#account(account);
    for (const line of bot.positions()) {
      // Margin positions have their own metrics: a symbol may have several.
      if (line.accountType !== 'spot') continue;
      const { strategy, symbol, quantity, value } = line;
      this.#quantity.set({ strategy, symbol }, Number(quantity));
      if (value !== undefined) this.#value.set({ strategy, symbol }, Number(value));
    }
    for (const line of bot.balances()) {
      this.#balanceOf(line);
    }
    for (const { name: target, ...counts } of status.notifications ?? []) {
      for (const outcome of ['sent', 'dropped', 'waiting'] as const) {
        this.#notifications.set({ target, outcome }, counts[outcome]);
      }
    }
    this.#margin.take(status.accounts, bot.positions());
  }

  #balanceOf(line: BalanceLine): void {
    if (line.accountType === 'isolated' || line.accountType === 'cross') return;
    const { account, accountType, currency, available, reserved } = line;
    const parts = { available, reserved } as const;
    for (const [part, amount] of Object.entries(parts)) {
      if (accountType === 'spot') this.#balance.set({ account, currency, part }, Number(amount));
      else
        this.#otherBalance.set(
          { account, account_type: accountType, currency, part },
          Number(amount),
        );
    }
    if (accountType === 'derivatives') {
      const part = 'reserved_margin';
      this.#otherBalance.set(
        { account, account_type: accountType, currency, part },
        Number(line.reservedMargin),
      );
    }
  }

  #strategy(status: StrategyStatus): void {
    const { name: strategy, account, openOrders, unknownOrders, dayResult } = status;
    this.#open.set({ strategy, account }, openOrders);
    this.#unknown.set({ strategy, account }, unknownOrders);
    for (const state of TRADING_STATES) {
      this.#strategyState.set({ strategy, state }, isSame(state, status.state));
    }
    for (const [currency, result] of Object.entries(dayResult)) {
      this.#dayResult.set({ strategy, currency }, Number(result));
    }
  }

  #account({
    name: account,
    state: now,
    connectionState,
    reconciledAt,
    markets,
  }: AccountStatus): void {
    for (const state of TRADING_STATES)
      this.#accountState.set({ account, state }, isSame(state, now));
    this.#live.set({ account }, connectionState === 'live' ? 1 : 0);
    if (reconciledAt !== undefined) {
      this.#reconciled.set({ account }, reconciledAt / US_PER_SECOND);
    }
    for (const [symbol, market] of Object.entries(markets)) {
      this.#marketLive.set({ account, symbol }, market.connectionState === 'live' ? 1 : 0);
      if (market.lastAt !== undefined) {
        this.#marketLast.set({ account, symbol }, market.lastAt / US_PER_SECOND);
      }
    }
  }
}

const isSame = (one: TradingState, other: TradingState): number => (one === other ? 1 : 0);
