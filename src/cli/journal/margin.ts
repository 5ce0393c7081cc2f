import type { JournalReader } from '../../bot/journal/reader.ts';
import type { JournaledMargin } from '../../bot/journal/records.ts';
import type { VenuePosition } from '../../model/margin-account.ts';
import type { Lots } from '../../model/units.ts';
import { isoTime } from '../../platform/time.ts';
import { numbersOf } from './words.ts';

type Reader = Pick<JournalReader, 'instrument' | 'marginAccounts'>;

export const MARGIN_HEAD: readonly string[] = [
  ...['margin', 'of', 'strategy', 'state', 'balance', 'leverage', 'positions', 'as of'],
];

/** The margin accounts of a journal as rows for people: as last reported, not as they are now. */
export const marginRows = (reader: Reader): readonly (readonly string[])[] =>
  reader.marginAccounts().map((one) => {
    const { marginAccount, strategy = '(foreign)', state, at } = one;
    return [
      marginAccount.isContract ? `${marginAccount.mode} futures` : marginAccount.mode,
      marginAccount.symbol ?? marginAccount.currency,
      strategy,
      stateText(one),
      state === undefined ? '-' : `${state.balance.toFixed()} ${marginAccount.currency}`,
      state?.leverage?.toFixed() ?? '-',
      (state?.positions ?? []).map((held) => positionText(held, reader)).join('; '),
      at === undefined ? 'never' : isoTime(at),
    ];
  });

/** The same as JSON, money as text. */
export const plainMargins = (reader: Reader): readonly object[] =>
  reader.marginAccounts().map((one) => {
    const { marginAccount, strategy, state, at } = one;
    return {
      kind: 'marginAccount',
      strategy,
      mode: marginAccount.mode,
      market: marginAccount.isContract ? 'futures' : 'spot',
      symbol: marginAccount.symbol,
      currency: marginAccount.currency,
      state: stateText(one),
      at,
      balance: state?.balance.toFixed(),
      reservedOrders: state?.reservedOrders.toFixed(),
      reservedPositions: state?.reservedPositions.toFixed(),
      leverage: state?.leverage?.toFixed(),
      positions: (state?.positions ?? []).map((held) => plainPosition(held, reader)),
    };
  });

const stateText = ({ state }: JournaledMargin): 'asked for' | 'open' | 'closed' =>
  state === undefined ? 'asked for' : state.isOpen ? 'open' : 'closed';

const sizeOf = ({ symbol, lots }: Pick<VenuePosition, 'symbol' | 'lots'>, reader: Reader): string =>
  numbersOf(reader.instrument(symbol)).size(lots as Lots);

function positionText(held: VenuePosition, reader: Reader): string {
  const { symbol, lots, entryPrice, liquidationPrice } = held;
  const end = liquidationPrice === undefined ? '' : `, liquidation ${liquidationPrice.toFixed()}`;
  const size = sizeOf({ symbol, lots: Math.abs(lots) }, reader);
  return `${lots < 0 ? 'short' : 'long'} ${size} ${symbol} at ${entryPrice.toFixed()}${end}`;
}

const plainPosition = (held: VenuePosition, reader: Reader): object => ({
  symbol: held.symbol,
  quantity: sizeOf(held, reader),
  entry: held.entryPrice.toFixed(),
  realizedPnl: held.realizedPnl.toFixed(),
  fees: held.fees.toFixed(),
  carry: held.carry.toFixed(),
  marginCallPrice: held.marginCallPrice?.toFixed(),
  liquidationPrice: held.liquidationPrice?.toFixed(),
});
