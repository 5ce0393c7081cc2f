import { type Decimal, parseDecimal } from './decimal.ts';
import { MillraceError } from './errors.ts';

/** Margin modes: funds for one symbol, or for all symbols of one settlement currency. */
export const MARGIN_MODES = ['isolated', 'cross'] as const;
export type MarginMode = (typeof MARGIN_MODES)[number];

/**
 * Terms of margin trading in a symbol and mode: the margin configuration record of the trading
 * service, numbers as decimal text.
 */
export interface MarginTerms {
  readonly marginMode: MarginMode;
  /** The margin call is at the account's leverage times this. */
  readonly marginCallLeverageMul: string;
  /** Liquidation is at the account's leverage times this. */
  readonly liquidationLeverageMul: string;
  /** Largest leverage of an account; at or above it positions can only be reduced. */
  readonly maxInitialLeverage: string;
  /** Liquidation fee on top of the taker fee, as a fraction of the trade's value. */
  readonly forceCloseFee: string;
  /**
   * Fee rate f in reserves, margin-call and liquidation prices; the account's taker rate if absent.
   * Published records of isolated accounts have 0.005 where that cannot be.
   */
  readonly reserveRate?: string;
  /** False if positions can only be reduced. */
  readonly enabled: boolean;
  /** False if these terms allow no position. */
  readonly active: boolean;
  /** Risk limit, all three members or none: the largest position value at leverage 1, */
  readonly limitBase?: string;
  /** the power by which leverage reduces it, */
  readonly limitPower?: string;
  /** and the leverage up to which there is no limit. */
  readonly unlimitedThreshold?: string;
}

/** Margin terms of an order. */
export interface OrderMargin {
  readonly mode: MarginMode;
  /** Its fills only reduce a position, and never flip it. */
  readonly reduceOnly?: boolean;
  /** Closes the whole position when triggered, or is canceled; it has no quantity until then. */
  readonly closePosition?: boolean;
}

/** Limits position values to base ÷ leverage^power above the threshold leverage. */
export interface RiskLimit {
  readonly base: Decimal;
  readonly power: Decimal;
  readonly threshold: Decimal;
}

/** Parsed margin terms. */
export interface MarginRules {
  readonly mode: MarginMode;
  readonly marginCallMul: Decimal;
  readonly liquidationMul: Decimal;
  readonly maxInitialLeverage: Decimal;
  readonly forceCloseFee: Decimal;
  /** Undefined for the taker rate of each account. */
  readonly reserveRate: Decimal | undefined;
  readonly enabled: boolean;
  readonly active: boolean;
  readonly riskLimit: RiskLimit | undefined;
}

/**
 * Parses margin terms. Throws `instrument-invalid` for contradictory ones: multipliers rise above 1
 * from margin call to liquidation, a leverage is at least 1, and at liquidation something is left
 * after the closing fee (`reserveRate`, else `takeRate`), so that every price exists.
 */
export function marginRules(terms: MarginTerms, symbol: string, takeRate: Decimal): MarginRules {
  const fault = (field: string, why: string): MillraceError =>
    new MillraceError('instrument-invalid', `Instrument ${symbol}: margin ${field} ${why}.`, {
      field: `margin.${field}`,
    });
  const read = (field: NumberField, least: number, open: boolean): Decimal => {
    const text = terms[field] ?? '';
    const value = parseDecimal(text);
    if (value?.greaterThan(least) || (!open && value?.equals(least))) return value;
    throw fault(field, `is "${text}" and must be ${open ? 'above' : 'at least'} ${least}`);
  };
  if (!MARGIN_MODES.includes(terms.marginMode)) {
    throw fault('marginMode', `is "${terms.marginMode}" and must be isolated or cross`);
  }
  const marginCallMul = read('marginCallLeverageMul', 1, true);
  const liquidationMul = read('liquidationLeverageMul', 1, true);
  if (marginCallMul.greaterThan(liquidationMul)) {
    throw fault('marginCallLeverageMul', 'is above the one of liquidation');
  }
  const reserveRate = terms.reserveRate === undefined ? undefined : read('reserveRate', 0, false);
  const closing = reserveRate ?? takeRate;
  if (closing.times(marginCallMul).plus(1).greaterThanOrEqualTo(marginCallMul)) {
    const fee = reserveRate === undefined ? 'fee of the taker' : 'reserveRate';
    throw fault('marginCallLeverageMul', `leaves nothing after the ${fee}`);
  }
  const forceCloseFee = read('forceCloseFee', 0, false);
  if (forceCloseFee.greaterThanOrEqualTo(1)) throw fault('forceCloseFee', 'is not below 1');
  const limits = [terms.limitBase, terms.limitPower, terms.unlimitedThreshold];
  const hasLimit = limits.some((text) => text !== undefined);
  return {
    mode: terms.marginMode,
    marginCallMul,
    liquidationMul,
    maxInitialLeverage: read('maxInitialLeverage', 1, false),
    forceCloseFee,
    reserveRate,
    enabled: terms.enabled,
    active: terms.active,
    riskLimit: hasLimit
      ? {
          base: read('limitBase', 0, true),
          power: read('limitPower', 0, false),
          threshold: read('unlimitedThreshold', 0, false),
        }
      : undefined,
  };
}

type NumberField =
  | 'marginCallLeverageMul'
  | 'liquidationLeverageMul'
  | 'maxInitialLeverage'
  | 'forceCloseFee'
  | 'reserveRate'
  | 'limitBase'
  | 'limitPower'
  | 'unlimitedThreshold';
