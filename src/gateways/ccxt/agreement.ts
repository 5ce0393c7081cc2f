import type { Decimal } from '../../model/decimal.ts';
import { inBaseCurrency } from '../../model/contract-terms.ts';
import { MillraceError } from '../../model/errors.ts';
import { Instrument } from '../../model/instrument.ts';
import { contractRules, type ContractRules, type ShownAccount } from './contracts.ts';
import { isUnchanged, readingError } from './errors.ts';
import type { CcxtExchange, Given } from './exchange.ts';
import { decimalOf } from './terms.ts';

/** Settings of an account's perpetuals. */
export interface ContractSettings {
  /** The leverage that each symbol has at the exchange. */
  readonly leverage: Decimal;
  /**
   * True to set cross margin and leverage if the exchange has others; otherwise such an account is
   * rejected.
   */
  readonly apply: boolean;
}

/**
 * The multipliers that compute margin calls and liquidations before there is a position: the exchange
 * reports the price of an open one. They are those of most symbols of the trading service, which reserve
 * more than other exchanges.
 */
const CAUTIOUS = { marginCallLeverageMul: '1.50', liquidationLeverageMul: '2.00', forceCloseFee: '0.05' }; // prettier-ignore

/**
 * The instruments that one account can trade live through ccxt: spot only, or linear perpetuals of one
 * currency only, counted in their base currency. Throws `instrument-unsupported` for all others, and
 * `config-invalid` if the leverage of perpetuals is missing.
 */
export function liveInstruments(
  id: string,
  instruments: readonly Instrument[],
  settings: ContractSettings | undefined,
  rules: ContractRules | undefined,
): readonly Instrument[] {
  const contracts = instruments.filter(({ terms }) => terms.type === 'futures');
  const [first] = contracts;
  if (first === undefined) return instruments;
  const refuse = (symbol: string, why: string): MillraceError =>
    new MillraceError('instrument-unsupported', `${symbol} is not traded live through ccxt: ${why}.`, { field: 'symbols' }); // prettier-ignore
  if (rules === undefined) {
    throw refuse(first.symbol, `how ${id} reports funds and forced trades of perpetuals is not known here; trade it on paper`); // prettier-ignore
  }
  for (const { symbol, terms, quoteCurrency } of contracts) {
    if (terms.settlement === 'inverse') throw refuse(symbol, `it is an inverse contract; take the linear one`); // prettier-ignore
    if (terms.contractType !== 'perpetual') throw refuse(symbol, 'it ends on a date; perpetuals are traded'); // prettier-ignore
    if (!symbol.endsWith(`:${quoteCurrency}`)) throw refuse(symbol, `it does not settle in ${quoteCurrency}`); // prettier-ignore
    if (quoteCurrency !== first.quoteCurrency) throw refuse(symbol, `${first.symbol} settles in another currency; give each currency an account`); // prettier-ignore
  }
  if (contracts.length < instruments.length) {
    throw refuse(first.symbol, 'the account trades spot too; give spot and perpetuals an account each'); // prettier-ignore
  }
  if (settings === undefined) {
    throw new MillraceError('config-invalid', `${first.symbol} is a perpetual: set margin: { leverage: N } in the venue, the leverage that its symbols have at ${id}.`, { field: 'margin' }); // prettier-ignore
  }
  const leverage = settings.leverage.toFixed();
  const margin = [{ marginMode: 'cross', maxInitialLeverage: leverage, ...CAUTIOUS, enabled: true, active: true }] as const; // prettier-ignore
  return contracts.map(({ terms }) => new Instrument({ ...inBaseCurrency(terms), margin }));
}

/** Margin settings of a symbol at an exchange; `undefined` members are not reported. */
interface SymbolSetting {
  readonly leverage: Decimal | undefined;
  readonly mode: string | undefined;
}

/**
 * Compares mode and leverage of the perpetuals at the exchange with the configuration, and sets them if
 * configured to. Throws `config-invalid` if they differ and are not set, and in hedge mode.
 */
export async function agreeOnMargin(
  exchange: CcxtExchange,
  shown: ShownAccount,
  symbols: readonly string[],
  settings: ContractSettings,
): Promise<void> {
  const { id, has } = exchange;
  const isHedged = async (symbol: string): Promise<boolean> =>
    has.fetchPositionMode === true && (await exchange.fetchPositionMode(symbol)).hedged === true;
  for (const symbol of symbols) {
    if (shown.positions.some((one) => one.isHedged) || (await isHedged(symbol))) {
      throw unlike(`${id} is in hedge mode, with a long and a short position of a symbol: set it to one-way mode.`); // prettier-ignore
    }
    const wanted = settings.leverage;
    const fits = ({ leverage, mode }: SymbolSetting): boolean =>
      leverage?.equals(wanted) === true && mode === 'cross';
    let found = await settingOf(exchange, shown, symbol);
    if (!fits(found) && settings.apply) {
      await apply(exchange, symbol, settings, found);
      found = await settingOf(exchange, shown, symbol, { leverage: wanted, mode: 'cross' });
    }
    if (fits(found)) continue;
    const at = `${found.mode ?? 'an unknown margin mode'}, leverage ${found.leverage?.toFixed() ?? 'unknown'}`;
    const remedy = settings.apply ? 'set it there' : 'set it there, set margin.leverage, or let the bot set it with margin: { apply: true }'; // prettier-ignore
    throw unlike(`${symbol} has ${at} at ${id}, and the configuration cross, leverage ${wanted.toFixed()}: ${remedy}.`); // prettier-ignore
  }
}

const unlike = (message: string): MillraceError =>
  new MillraceError('config-invalid', message, { field: 'margin' });

/** `otherwise` counts for what the exchange does not report. */
async function settingOf(
  exchange: CcxtExchange,
  shown: ShownAccount,
  symbol: string,
  otherwise?: SymbolSetting,
): Promise<SymbolSetting> {
  if (shown.leverage !== undefined) return { leverage: shown.leverage, mode: 'cross' };
  const { has } = exchange;
  const position = shown.positions.find((one) => one.symbol === symbol);
  // If the mode is set per order, cross margin is requested.
  const given: Given = has.fetchLeverage ? await exchange.fetchLeverage(symbol) : {};
  const own = has.fetchMarginMode === true ? await exchange.fetchMarginMode(symbol) : given;
  const mode = textOf(own.marginMode) ?? (otherwise === undefined ? position?.mode : undefined);
  const [long, short] = [given.longLeverage, given.shortLeverage].map(decimalOf);
  const isOne = long !== undefined && short !== undefined && long.equals(short);
  const leverage = isOne ? long : otherwise === undefined ? position?.leverage : undefined;
  return { leverage: leverage ?? otherwise?.leverage, mode: mode ?? otherwise?.mode };
}

const textOf = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given : undefined;

async function apply(
  exchange: CcxtExchange,
  symbol: string,
  { leverage }: ContractSettings,
  { mode }: SymbolSetting,
): Promise<void> {
  const { has } = exchange;
  // It is a number of times, and no amount: some classes sign it as a number.
  const times = leverage.toNumber();
  const more = contractRules(exchange.id)?.modeNeedsLeverage === true ? { leverage: times } : {};
  try {
    if (mode !== 'cross' && has.setMarginMode === true) {
      await unlessUnchanged(exchange.setMarginMode('cross', symbol, more));
    }
    if (has.setLeverage === true) {
      await unlessUnchanged(exchange.setLeverage(times, symbol));
    }
  } catch (error) {
    const { code, message, cause } = readingError(error);
    throw new MillraceError(code, `${exchange.id} does not set cross margin and leverage ${leverage.toFixed()} of ${symbol}: ${message}`, { field: 'margin', cause }); // prettier-ignore
  }
}

async function unlessUnchanged(setting: Promise<unknown>): Promise<void> {
  try {
    await setting;
  } catch (error) {
    if (!isUnchanged(error)) throw error;
  }
}
