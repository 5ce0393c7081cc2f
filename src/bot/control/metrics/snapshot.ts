import { Gauge, type Registry } from '@prometheus-io/client';
import { US_PER_SECOND } from '../../../platform/time.ts';
import { TRADING_STATES, type TradingState } from '../../../risk/state.ts';
import type {
  AccountStatus,
  BalanceLine,
  BotApi,
  MarginAccountLine,
  MarginPositionLine,
  PositionLine,
  StrategyStatus,
} from '../../api/bot-api.ts';

/** Metrics by name: what each says, and its labels. */
export type Described = Readonly<Record<string, readonly [help: string, ...labels: string[]]>>;

/** Values of the labels of a metric. */
export type LabelValues<Row> = Row extends readonly [string, ...infer L extends readonly string[]]
  ? Readonly<Record<L[number], string>>
  : never;

/** Labels that identify a margin account; `symbol` is empty for a cross account. */
const MARGIN_ACCOUNT = ['account', 'strategy', 'margin', 'market', 'symbol', 'currency'] as const;
const MARGIN_POSITION = ['account', 'strategy', 'margin', 'symbol'] as const;

/** What each gauge says, and its labels. `strategy` is empty for margin that no strategy of the bot opened. */
const GAUGES = {
  ready: ['1 while the bot trades: recovered, connected, running.'],
  state: ['1 for the state of the bot, 0 for the others.', 'state'],
  strategy_state: ['1 for the state of the strategy, 0 for others.', 'strategy', 'state'],
  orders_open: ['Orders that have not ended.', 'strategy', 'account'],
  orders_unknown: ['Orders whose outcome is unknown.', 'strategy', 'account'],
  day_result: ['Result since midnight UTC, in the quote currency.', 'strategy', 'currency'],
  position_value: ['Value of what is held, in the quote currency.', 'strategy', 'symbol'],
  position_quantity: ['What is held of the base currency.', 'strategy', 'symbol'],
  account_state: ['1 for the state of the account, 0 for others.', 'account', 'state'],
  account_live: ['1 while the account is connected.', 'account'],
  account_reconciled_timestamp_seconds: [
    'When the account was compared with the journal last.',
    'account',
  ],
  market_live: ['1 while the market is connected.', 'account', 'symbol'],
  market_last_timestamp_seconds: [
    'When something of the market came last.',
    ...(['account', 'symbol'] as const),
  ],
  balance: [
    'Balance of the account; part is available or reserved.',
    ...(['account', 'currency', 'part'] as const),
  ],
  other_balance: [
    'Balance of the wallet or of derivatives, where somebody looks at it; part is available, reserved or reserved_margin.',
    ...(['account', 'account_type', 'currency', 'part'] as const),
  ],
  notifications: [
    'Notifications of this run by target; outcome is sent, dropped or waiting.',
    ...(['target', 'outcome'] as const),
  ],
  margin_balance: [
    'Funds of a margin account; part is balance, available or reserved.',
    ...MARGIN_ACCOUNT,
    'part',
  ],
  margin_equity: ['Funds with the results of open positions at the mark price.', ...MARGIN_ACCOUNT],
  margin_effective_leverage: [
    'Value of the positions over the equity of their margin account.',
    ...MARGIN_ACCOUNT,
  ],
  margin_called: ['1 while a margin account has a margin call.', ...MARGIN_ACCOUNT],
  margin_position_quantity: [
    'An open position on margin, negative for a short.',
    ...MARGIN_POSITION,
  ],
  margin_position_value: [
    'Value of a position at the mark price, positive either way.',
    ...MARGIN_POSITION,
  ],
  margin_position_unrealized_pnl: [
    'Result of a position at the mark price, fees apart.',
    ...MARGIN_POSITION,
  ],
  margin_liquidation_distance: [
    'From the mark price to the liquidation, as a fraction of the mark price.',
    ...MARGIN_POSITION,
  ],
} as const satisfies Described;

type Name = keyof typeof GAUGES;

/**
 * State of a bot at the time of a scrape: orders, states, connections, money. Prometheus knows doubles
 * alone, so amounts are rounded to 15 digits here; the control API has the exact ones.
 */
export class MetricsSnapshot {
  readonly #gauges: ReadonlyMap<string, Gauge<string>>;

  constructor(registry: Registry) {
    const gauges = Object.entries(GAUGES).map(([name, [help, ...labelNames]]) => {
      const registers = [registry];
      return [
        name,
        new Gauge<string>({ name: `millrace_${name}`, help, labelNames, registers }),
      ] as const;
    });
    this.#gauges = new Map(gauges);
  }

  /** Sets all gauges to the bot's state and removes obsolete series. */
  take(bot: BotApi): void {
    for (const gauge of this.#gauges.values()) gauge.reset();
    const status = bot.status();
    this.#set('ready', {}, bot.isReady() ? 1 : 0);
    for (const state of TRADING_STATES) this.#set('state', { state }, isSame(state, status.state));
    for (const strategy of status.strategies) this.#strategy(strategy);
    for (const account of status.accounts) this.#account(account);
    for (const line of bot.positions()) this.#position(line);
    for (const line of bot.balances()) this.#balance(line);
    for (const { name: target, ...counts } of status.notifications ?? []) {
      for (const outcome of ['sent', 'dropped', 'waiting'] as const) {
        this.#set('notifications', { target, outcome }, counts[outcome]);
      }
    }
  }

  #balance(line: BalanceLine): void {
    if (line.accountType === 'isolated' || line.accountType === 'cross') return;
    const { account, accountType, currency, available, reserved } = line;
    for (const [part, amount] of Object.entries({ available, reserved })) {
      if (accountType === 'spot') this.#set('balance', { account, currency, part }, amount);
      else
        this.#set('other_balance', { account, account_type: accountType, currency, part }, amount);
    }
    if (accountType === 'derivatives') {
      const part = 'reserved_margin';
      this.#set(
        'other_balance',
        { account, account_type: accountType, currency, part },
        line.reservedMargin,
      );
    }
  }

  #strategy(status: StrategyStatus): void {
    const { name: strategy, account, openOrders, unknownOrders, dayResult } = status;
    this.#set('orders_open', { strategy, account }, openOrders);
    this.#set('orders_unknown', { strategy, account }, unknownOrders);
    for (const state of TRADING_STATES) {
      this.#set('strategy_state', { strategy, state }, isSame(state, status.state));
    }
    for (const [currency, result] of Object.entries(dayResult)) {
      this.#set('day_result', { strategy, currency }, result);
    }
  }

  #account(status: AccountStatus): void {
    const { name: account, connectionState, reconciledAt, markets, margin } = status;
    for (const state of TRADING_STATES) {
      this.#set('account_state', { account, state }, isSame(state, status.state));
    }
    this.#set('account_live', { account }, isLive(connectionState));
    this.#set('account_reconciled_timestamp_seconds', { account }, secondsOf(reconciledAt));
    for (const [symbol, market] of Object.entries(markets)) {
      const labels = { account, symbol };
      this.#set('market_live', labels, isLive(market.connectionState));
      this.#set('market_last_timestamp_seconds', labels, secondsOf(market.lastAt));
    }
    for (const line of margin) this.#marginAccount(line);
  }

  #marginAccount(line: MarginAccountLine): void {
    const { account, strategy, accountType: margin, market, symbol = '', currency } = line;
    const labels = { account, strategy, margin, market, symbol, currency };
    for (const part of ['balance', 'available', 'reserved'] as const) {
      this.#set('margin_balance', { ...labels, part }, line[part]);
    }
    this.#set('margin_equity', labels, line.equity);
    this.#set('margin_effective_leverage', labels, line.effectiveLeverage);
    this.#set('margin_called', labels, line.state === 'marginCall' ? 1 : 0);
  }

  #position(line: PositionLine): void {
    // What is on margin has metrics of its own: one symbol may be held in several accounts.
    if (line.accountType !== 'spot') {
      this.#marginPosition(line);
      return;
    }
    const { strategy, symbol, quantity, value } = line;
    this.#set('position_quantity', { strategy, symbol }, quantity);
    this.#set('position_value', { strategy, symbol }, value);
  }

  #marginPosition(line: MarginPositionLine): void {
    const { account, strategy, accountType: margin, symbol } = line;
    const labels = { account, strategy, margin, symbol };
    this.#set('margin_position_quantity', labels, line.quantity);
    this.#set('margin_position_value', labels, line.value);
    this.#set('margin_position_unrealized_pnl', labels, line.unrealizedPnl);
    this.#set('margin_liquidation_distance', labels, line.distance);
  }

  /** What is not known is not exported. */
  #set<N extends Name>(
    name: N,
    labels: LabelValues<(typeof GAUGES)[N]>,
    value: string | number | undefined,
  ): void {
    if (value !== undefined) this.#gauges.get(name)?.set({ ...labels }, Number(value));
  }
}

const isSame = (one: TradingState, other: TradingState): number => (one === other ? 1 : 0);

const isLive = (connectionState: string): number => (connectionState === 'live' ? 1 : 0);

const secondsOf = (atUs: number | undefined): number | undefined => atUs && atUs / US_PER_SECOND;
