import type { z } from 'zod';
import { MillraceError, type Warn } from '../../../../model/errors.ts';
import { marginRules, type MarginMode, type MarginTerms } from '../../../../model/margin-terms.ts';
import { sanitize } from '../../../../model/plain-words.ts';
import type { marginConfig } from '../../../../wire/trading/v3/records/margin.ts';
import { ServiceError } from '../../../http/service-error.ts';
import type { TradingClient } from '../../client/client.ts';

export type WireTerms = z.output<typeof marginConfig>['config'][number];
/** Symbols by their codes, as the service lists them. */
export type SymbolRecords = Awaited<ReturnType<TradingClient['rest']['getSymbols']>>;
type GivenSymbol = SymbolRecords[string];
/** Margin terms of each symbol that has some. */
export type TermsBySymbol = ReadonlyMap<string, readonly MarginTerms[]>;

/** HTTP status of a service, or a key, without margin. */
const WITHOUT_MARGIN_STATUS: ReadonlySet<number | undefined> = new Set([403, 404]);
const WITHOUT_MARGIN_CODE: ReadonlySet<number | undefined> = new Set([403, 1003, 20_040]);

/** True for the answer of a service that has no margin trading, or has none for this key. */
export const isWithoutMargin = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.code === 'service-refused' &&
  (WITHOUT_MARGIN_STATUS.has(error.httpStatus) || WITHOUT_MARGIN_CODE.has(error.serviceCode));

/**
 * The usable margin terms of symbols: a contradictory record, a second one of a mode, and those of a symbol
 * whose fees or PnL are not in its quote currency are left out, each with a warning.
 */
export function termsBySymbol(
  config: readonly WireTerms[],
  symbols: SymbolRecords,
  warn: Warn,
): TermsBySymbol {
  const found = new Map<string, MarginTerms[]>();
  for (const given of config) {
    const symbol = Object.hasOwn(symbols, given.symbol) ? symbols[given.symbol] : undefined;
    // A market may be delisted while its terms still exist.
    if (symbol === undefined) continue;
    const terms = termsOf(given);
    const others = found.get(given.symbol) ?? [];
    const fault = faultOf(given, terms, symbol, others);
    if (fault === undefined) found.set(given.symbol, [...others, terms]);
    else warn(fault);
  }
  return found;
}

function faultOf(
  { symbol: name }: WireTerms,
  terms: MarginTerms,
  symbol: GivenSymbol,
  others: readonly MarginTerms[],
): MillraceError | undefined {
  const { quote_currency: quote, fee_currency: fee } = symbol;
  const shown = sanitize(name);
  if (fee !== quote) {
    const kind =
      symbol.type === 'futures' ? 'is inverse or quanto' : 'has fees in another currency';
    return fault(
      'feeCurrency',
      `${shown} ${kind}: it is quoted in ${sanitize(quote)} and settles in ${sanitize(fee)}; it is not traded on margin here.`,
    );
  }
  if (others.some(({ marginMode }) => marginMode === terms.marginMode)) {
    return fault(
      'margin',
      `${shown} has two records of ${terms.marginMode} margin; the first counts.`,
    );
  }
  try {
    marginRules(terms, shown, symbol.take_rate);
    return undefined;
  } catch (error) {
    if (error instanceof MillraceError) return error;
    throw error;
  }
}

const fault = (field: string, message: string): MillraceError =>
  new MillraceError('instrument-invalid', message, { field });

/** `reserveRate` is not on the wire: the account's taker fee replaces it. */
function termsOf(given: WireTerms): MarginTerms {
  const { limit_base: base, limit_power: power, unlimited_threshold: threshold } = given;
  return {
    marginMode: modeOf(given.margin_mode),
    marginCallLeverageMul: given.margin_call_leverage_mul.toFixed(),
    liquidationLeverageMul: given.liquidation_leverage_mul.toFixed(),
    maxInitialLeverage: given.max_initial_leverage.toFixed(),
    forceCloseFee: given.force_close_fee.toFixed(),
    enabled: given.enabled,
    active: given.active,
    ...(base === undefined ? {} : { limitBase: base.toFixed() }),
    ...(power === undefined ? {} : { limitPower: power.toFixed() }),
    ...(threshold === undefined ? {} : { unlimitedThreshold: threshold.toFixed() }),
  };
}

/** Modes are written with a capital or without. */
export const modeOf = (written: 'isolated' | 'cross' | 'Isolated' | 'Cross'): MarginMode =>
  written === 'isolated' || written === 'Isolated' ? 'isolated' : 'cross';
