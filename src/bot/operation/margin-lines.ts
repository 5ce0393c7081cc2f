import { StrategyMarginAccounts } from '../../engine/account/margin-accounts.ts';
import { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import {
  marginAccountKey,
  type MarginAccountState,
  type VenuePosition,
} from '../../model/margin-account.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { Account } from '../account/account.ts';
import type { MarginAccountLine, MarginOwner, MarginPositionLine } from '../api/bot-api.ts';

/** An open margin account, or a part of a shared one, and its owner. */
interface Owned {
  readonly owner: MarginOwner;
  readonly state: MarginAccountState;
}

/** The open margin accounts of an account, also foreign ones; of a shared one its parts, and the whole. */
export const marginAccountLines = ({ account }: AccountContext): readonly MarginAccountLine[] =>
  ownedOf(account).map(({ owner, state }) => ({
    ...owner,
    ...accountLine(account, state, owner),
  }));

/**
 * All open margin positions, also foreign ones; of shared accounts each strategy's own, and the net ones.
 */
export const marginPositionLines = (
  contexts: readonly AccountContext[],
): readonly MarginPositionLine[] =>
  contexts.flatMap(({ account }) => [
    ...ownedOf(account).flatMap(({ owner, state }) => {
      const accounts = shownBy(account, state);
      return state.positions.map((held) => ({
        ...owner,
        ...positionLine(account, state, held, accounts),
      }));
    }),
    ...foreignLines(account),
  ]);

function ownedOf(account: Account): readonly Owned[] {
  const { margin } = account;
  const parts = margin.owned();
  return (margin.view()?.accounts ?? []).flatMap((state): readonly Owned[] => {
    const kept = margin.store.find(state);
    if (kept?.parts === undefined) {
      return [{ owner: ownerOf(account, kept?.strategy), state }];
    }
    const key = marginAccountKey(state);
    const own = parts
      .filter((part) => marginAccountKey(part.state) === key)
      .map(({ strategy, state: part }): Owned => {
        return { owner: { ...ownerOf(account, strategy), shared: true }, state: part };
      });
    return [...own, { owner: { account: account.name, strategy: '', shared: true }, state }];
  });
}

/** Foreign parts of positions on shared accounts, at the entry price of the net position. */
const foreignLines = (account: Account): readonly MarginPositionLine[] =>
  account.margin.store.all().flatMap(({ state, parts }) =>
    Object.entries(parts?.foreign.lots ?? {}).flatMap(([symbol, lots]) => {
      const net = state?.positions.find((one) => one.symbol === symbol);
      if (state === undefined || net === undefined) return [];
      const held = { ...net, lots, entryValue: net.entryValue.times(lots).div(net.lots).abs() };
      const shown = { ...state, positions: [held] };
      const owner = { account: account.name, strategy: '', foreign: true } as const;
      return [{ ...owner, ...positionLine(account, shown, held, shownBy(account, shown)) }];
    }),
  );

/** An account as strategies see theirs, by the same formulas. */
function shownBy(account: Account, state: MarginAccountState): StrategyMarginAccounts {
  const accounts = new StrategyMarginAccounts({
    instrument: (symbol) => account.instruments.known(symbol),
    markPrice: (symbol) => account.margin.markPrice(symbol),
  });
  accounts.restore([state]);
  return accounts;
}

function ownerOf(account: Account, strategy: string | undefined): MarginOwner {
  const { all, orphans } = account.strategies;
  const isConfigured = all.some((one) => one.name === strategy && !orphans.includes(one));
  return {
    account: account.name,
    strategy: strategy ?? '',
    ...(strategy === undefined ? { foreign: true } : isConfigured ? {} : { isOrphan: true }),
  };
}

function accountLine(
  account: Account,
  state: MarginAccountState,
  { strategy, shared }: MarginOwner,
): Omit<MarginAccountLine, keyof MarginOwner> {
  const shown = shownBy(account, state).view(state);
  const { balance, available, reservedOrders, reservedPositions } = shown;
  const { equity, leverage, effectiveLeverage } = shown;
  const last = account.margin.news.last(state, shared === true ? strategy : '');
  return {
    accountType: state.mode,
    market: state.isContract ? 'futures' : 'spot',
    symbol: state.symbol,
    currency: state.currency,
    state: shown.state === 'marginCall' ? 'marginCall' : 'normal',
    balance: balance.toFixed(),
    reserved: reservedOrders.plus(reservedPositions).toFixed(),
    available: available.toFixed(),
    equity: equity?.toFixed(),
    leverage: leverage?.toFixed(),
    effectiveLeverage: effectiveLeverage?.toFixed(),
    positions: state.positions.length,
    last,
  };
}

function positionLine(
  account: Account,
  state: MarginAccountState,
  held: VenuePosition,
  accounts: StrategyMarginAccounts,
): Omit<MarginPositionLine, keyof MarginOwner> {
  const { mode, currency } = state;
  const instrument = account.instruments.known(held.symbol);
  const position = accounts.position({ instrument, mode });
  return {
    symbol: held.symbol,
    accountType: mode,
    side: held.lots < 0 ? 'short' : 'long',
    currency,
    quantity: position.size.toFixed(),
    entry: held.entryPrice.toFixed(),
    mark: position.markPrice?.toFixed(),
    value: position.notional?.toFixed(),
    unrealizedPnl: position.unrealizedPnl?.toFixed(),
    realizedPnl: held.realizedPnl.toFixed(),
    fees: held.fees.toFixed(),
    carry: held.carry.toFixed(),
    leverage: leverageOf(instrument, state)?.toFixed(),
    marginCallPrice: held.marginCallPrice?.toFixed(),
    liquidationPrice: held.liquidationPrice?.toFixed(),
    distance: position.distance,
  };
}

/** Maximum leverage to open with in a symbol: the lower one of account and symbol. */
function leverageOf(
  instrument: Instrument,
  { mode, leverage }: MarginAccountState,
): Decimal | undefined {
  const most = instrument.margin[mode]?.maxInitialLeverage;
  if (most === undefined || leverage === undefined) return leverage ?? most;
  return Decimal.min(leverage, most);
}
