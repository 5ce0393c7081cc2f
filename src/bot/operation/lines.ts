import type { Inventory } from '../../gateways/rebalancing/inventory.ts';
import { algoTexts } from '../../model/algo-order.ts';
import type { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  NON_SPOT_ACCOUNT_TYPES,
  type NonSpotAccountType,
  type NonSpotBalance,
} from '../../model/non-spot-balance.ts';
import { holdingName } from '../../model/portfolio.ts';
import { ticks as asTicks, type Lots } from '../../model/units.ts';
import type { Micros } from '../../platform/time.ts';
import type { Account } from '../account/account.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { NotificationLine } from '../api/bot-event.ts';
import type {
  AccountStatus,
  BalanceLine,
  BotStatus,
  OrderLine,
  OtherBalanceLine,
  PortfolioStatus,
  PositionLine,
  SpotPositionLine,
  StrategyStatus,
  UnknownBalanceLine,
} from '../api/bot-api.ts';
import type { Scope, States } from '../risk/states.ts';
import type { BotSettings } from '../settings/settings.ts';
import type { StrategyRunner } from '../strategy/runner.ts';
import { marginAccountLines, marginPositionLines } from './margin-lines.ts';
import type { OwnedOrders } from './parts.ts';

/** Inputs of a status. */
export interface StatusParts {
  readonly settings: BotSettings;
  readonly startedAt: Micros;
  readonly at: Micros;
  readonly states: States;
  readonly accounts: readonly AccountContext[];
  readonly runners: readonly StrategyRunner[];
  /** Set if the bot has a portfolio. */
  readonly inventory: Inventory | undefined;
  /** False for a strategy whose PnL is from before it was flattened. */
  readonly isMarked: (strategy: string) => boolean;
  /** Set if somebody is notified. */
  readonly notifications: readonly NotificationLine[] | undefined;
}

export function botStatus(parts: StatusParts): BotStatus {
  const { settings, startedAt, at, states, accounts, runners, inventory, isMarked } = parts;
  const { notifications } = parts;
  return {
    name: settings.name,
    mode: settings.mode,
    pid: process.pid,
    startedAt,
    at,
    state: states.own('bot'),
    why: states.why('bot'),
    accounts: accounts.map((context) => accountStatus(context, states)),
    strategies: runners.map((runner) => strategyStatus(runner, states, isMarked(runner.name))),
    portfolio:
      inventory === undefined
        ? undefined
        : portfolioStatus(settings.portfolio?.strategy ?? '', inventory.status),
    ...(notifications === undefined ? {} : { notifications }),
  };
}

function portfolioStatus(
  strategy: string,
  { holdings, last }: Inventory['status'],
): PortfolioStatus {
  return {
    strategy,
    holdings: holdings.map((one) => ({ holding: holdingName(one), amount: one.amount.toFixed() })),
    last: last && {
      at: last.at,
      state: last.state,
      message: last.message,
      transfers: last.transfers.map(({ from, to, state, send, arrived, reason }) => ({
        from,
        to,
        state,
        send: send.toFixed(),
        arrived: arrived?.toFixed(),
        reason,
      })),
    },
  };
}

function accountStatus(context: AccountContext, states: States): AccountStatus {
  const { account, hub } = context;
  return {
    name: account.name,
    state: states.effective(`account:${account.name}`),
    stateWhy: states.reason(`account:${account.name}`),
    margin: marginAccountLines(context),
    connectionState: account.connectionState,
    why: account.trouble,
    reconciledAt: account.reconciledAt,
    discrepancies: account.discrepancies,
    orphanOrders: account.strategies.orphans.reduce(
      (sum, strategyAccount) => sum + strategyAccount.openOrders().length,
      0,
    ),
    markets: Object.fromEntries(
      hub.pulses.map(({ instrument, connectionState, lastAt }) => [
        instrument.symbol,
        { connectionState, lastAt },
      ]),
    ),
  };
}

function strategyStatus(runner: StrategyRunner, states: States, isMarked: boolean): StrategyStatus {
  const { name, settings, engine, strategyAccount, guards } = runner;
  const open = strategyAccount.openOrders();
  const scope: Scope = `strategy:${name}`;
  const state = states.effective(scope);
  return {
    name,
    strategy: settings.strategy.name,
    account: settings.account,
    symbols: settings.symbols,
    state,
    why: (state === 'running' ? engine.marginTrouble : undefined) ?? states.reason(scope),
    ownState: states.own(scope),
    session: engine.state,
    ...algoLines(runner),
    openOrders: open.length,
    unknownOrders: open.filter(({ status }) => status === 'unknown').length,
    dayResult: Object.fromEntries(
      [...(isMarked ? guards.memory : [])].map(([currency, { start, last }]) => [
        currency,
        last.minus(start).toFixed(),
      ]),
    ),
  };
}

function algoLines({
  engine,
  strategyAccount,
}: StrategyRunner): Pick<StrategyStatus, 'algoOrders'> {
  const { algoOrders } = engine;
  if (algoOrders.length === 0) return {};
  return {
    algoOrders: algoOrders.map((order) => ({
      ...algoTexts(order, strategyAccount.instrument(order.symbol)),
      startedAt: order.startedAt,
      endedAt: order.endedAt,
    })),
  };
}

export const orderLines = (owned: readonly OwnedOrders[]): readonly OrderLine[] =>
  owned.flatMap(({ name, account, strategyAccount }) =>
    strategyAccount.openOrders().map((order) => {
      const { clientOrderId, symbol, side, type, status, ticks, stopTicks } = order;
      const { takeRate, makeRate, margin } = order;
      const instrument = strategyAccount.instrument(symbol);
      return {
        strategy: name,
        account: account.name,
        clientOrderId,
        symbol,
        side,
        type,
        status,
        quantity: instrument.size(order.lots).toFixed(),
        executed: instrument.size(order.filledLots).toFixed(),
        price: ticks === undefined ? undefined : instrument.price(ticks).toFixed(),
        stopPrice: stopTicks === undefined ? undefined : instrument.price(stopTicks).toFixed(),
        takeRate: takeRate?.toFixed(),
        makeRate: makeRate?.toFixed(),
        margin: margin?.mode,
        ...(margin?.reduceOnly === true ? { reduceOnly: true } : {}),
        ...(margin?.closePosition === true ? { closePosition: true } : {}),
        sentAt: order.requestedAt,
        ...(account.strategies.orphans.includes(strategyAccount) ? { isOrphan: true } : {}),
      };
    }),
  );

/** Spot holdings of the strategies, and all margin positions. */
export const positionLines = (
  runners: readonly StrategyRunner[],
  accounts: readonly AccountContext[],
): readonly PositionLine[] => [...spotPositionLines(runners), ...marginPositionLines(accounts)];

/** The mean price is rounded to the nearest tick, for display. A contract is never held on spot. */
const spotPositionLines = (runners: readonly StrategyRunner[]): readonly SpotPositionLine[] =>
  runners.flatMap(({ name, strategyAccount, engine }) =>
    strategyAccount.instruments.filter(isHeld).map((instrument) => {
      const { symbol } = instrument;
      const { lots, size, entryTicks } = engine.positionOf(symbol);
      const ticks = strategyAccount.marketTicks(symbol);
      return {
        strategy: name,
        symbol,
        accountType: 'spot',
        quantity: size.toFixed(),
        entry: Number.isNaN(entryTicks)
          ? undefined
          : instrument.price(asTicks(Math.round(entryTicks))).toFixed(),
        value: valueOf(instrument, ticks, lots),
      };
    }),
  );

const isHeld = ({ isContract }: Instrument): boolean => !isContract;

const valueOf = (
  instrument: { readonly tickValue: Decimal },
  ticks: number,
  lots: Lots,
): string | undefined =>
  Number.isNaN(ticks) ? undefined : instrument.tickValue.times(ticks).times(lots).toFixed();

/** Balances on spot, of the wallet and of derivatives, and then the funds of margin accounts. */
export const balanceLines = (
  accounts: readonly AccountContext[],
  at: Micros,
): readonly BalanceLine[] => [
  ...accounts.flatMap(({ account }) =>
    account.balances.reports(at).map(({ currency, available, reserved }): BalanceLine => ({
      account: account.name,
      accountType: 'spot',
      currency,
      available: available.toFixed(),
      reserved: reserved.toFixed(),
    })),
  ),
  ...accounts.flatMap(({ account }) =>
    NON_SPOT_ACCOUNT_TYPES.flatMap((accountType) => otherLines(account, accountType)),
  ),
  ...accounts.flatMap(marginAccountLines),
];

/** Known balances of a followed account type. */
function otherLines(
  { name: account, nonSpotBalances }: Account,
  accountType: NonSpotAccountType,
): readonly OtherBalanceLine[] {
  const { known, failure } = nonSpotBalances.known(accountType) ?? {};
  if (known === undefined || !known.isKnown || failure !== undefined) return [];
  return known.all
    .filter((one) => !isNothing(one))
    .map(({ currency, available, reserved, reservedMargin }) => ({
      account,
      accountType,
      currency,
      available: available.toFixed(),
      reserved: reserved.toFixed(),
      ...(accountType === 'derivatives' ? { reservedMargin: reservedMargin.toFixed() } : {}),
    }));
}

/** Followed account types without known balances. */
export const unknownBalanceLines = ({
  account: { name: account, nonSpotBalances },
}: AccountContext): readonly UnknownBalanceLine[] =>
  NON_SPOT_ACCOUNT_TYPES.flatMap((accountType) => {
    const looked = nonSpotBalances.known(accountType);
    if (looked === undefined || (looked.failure === undefined && looked.known.isKnown)) return [];
    const why = looked.failure?.message ?? 'The venue has not sent them yet.';
    return [{ account, accountType, why }];
  });

const isNothing = ({ available, reserved, reservedMargin }: NonSpotBalance): boolean =>
  available.isZero() && reserved.isZero() && reservedMargin.isZero();
