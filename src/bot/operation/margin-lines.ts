import { MarginAccounts } from '../../engine/account/margin-accounts.ts';
import { Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountState, VenuePosition } from '../../model/margin-account.ts';
import type { AccountContext } from '../account/account-context.ts';
import type { Account } from '../account/account.ts';
import type { MarginAccountLine, MarginOwner, MarginPositionLine } from '../api/bot-api.ts';

/** The open margin accounts of an account, those too that no strategy owns. */
export function marginAccountLines({ account }: AccountContext): readonly MarginAccountLine[] {
  const accounts = opened(account);
  return openOf(account).map((state) => accountLine(account, state, accounts));
}

/** All open positions on margin, those too that no strategy owns. */
export const marginPositionLines = (
  contexts: readonly AccountContext[],
): readonly MarginPositionLine[] =>
  contexts.flatMap(({ account }) => {
    const accounts = opened(account);
    return openOf(account).flatMap((state) =>
      state.positions.map((held) => positionLine(account, state, held, accounts)),
    );
  });

const openOf = (account: Account): readonly MarginAccountState[] =>
  account.margin.view()?.accounts ?? [];

/** The accounts as strategies see theirs, by the same formulas. */
function opened(account: Account): MarginAccounts {
  const accounts = new MarginAccounts({
    instrument: (symbol) => account.instruments.known(symbol),
    markPrice: (symbol) => account.margin.markPrice(symbol),
  });
  accounts.restore(openOf(account));
  return accounts;
}

function ownerOf(account: Account, state: MarginAccountState): MarginOwner {
  const strategy = account.margin.store.find(state)?.strategy;
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
  accounts: MarginAccounts,
): MarginAccountLine {
  const shown = accounts.shown(state);
  const { balance, available, reservedOrders, reservedPositions } = shown;
  const { equity, leverage, effectiveLeverage } = shown;
  const last = account.margin.news.last(state);
  return {
    ...ownerOf(account, state),
    place: state.mode,
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
    ...(last === undefined ? {} : { last }),
  };
}

function positionLine(
  account: Account,
  state: MarginAccountState,
  held: VenuePosition,
  accounts: MarginAccounts,
): MarginPositionLine {
  const { mode, currency } = state;
  const instrument = account.instruments.known(held.symbol);
  const position = accounts.position({ instrument, mode });
  return {
    ...ownerOf(account, state),
    ...{ symbol: held.symbol, place: mode, side: held.lots < 0 ? 'short' : 'long', currency },
    quantity: position.size.toFixed(),
    entry: held.entryPrice.toFixed(),
    mark: position.markPrice?.toFixed(),
    worth: position.notional?.toFixed(),
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

/** What may be used to open in a symbol: no more than the account has, nor than the symbol allows. */
function leverageOf(
  instrument: Instrument,
  { mode, leverage }: MarginAccountState,
): Decimal | undefined {
  const most = instrument.margin[mode]?.maxInitialLeverage;
  if (most === undefined || leverage === undefined) return leverage ?? most;
  return Decimal.min(leverage, most);
}
