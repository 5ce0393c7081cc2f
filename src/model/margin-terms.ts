import { type Decimal, parseDecimal } from './decimal.ts';
import { MillraceError } from './errors.ts';

/** How the funds of a margin account are bound: to one symbol, or to one settlement currency. */
export const MARGIN_MODES = ['isolated', 'cross'] as const;
export type MarginMode = (typeof MARGIN_MODES)[number];

/**
 * On what terms a symbol is traded on margin in one mode: the margin configuration record of the
 * trading service, numbers as decimal text.
 */
export interface MarginTerms {
  readonly marginMode: MarginMode;
  /** A margin call comes when the effective leverage reaches the account's leverage times this. */
  readonly marginCallLeverageMul: string;
  /** Liquidation comes when it reaches the account's leverage times this. */
  readonly liquidationLeverageMul: string;
  /** The most that an account's leverage can be; at or above it a position can only be reduced. */
  readonly maxInitialLeverage: string;
  /** Fee of a liquidation on top of the taker's, as a fraction of the trade's value. */
  readonly forceCloseFee: string;
  /**
   * The fee rate f in reserves, margin-call and liquidation prices; what an account pays as taker where
   * absent. Published records of isolated accounts have 0.005 where that cannot be.
   */
  readonly reserveRate?: string;
  /** False where positions can only be reduced. */
  readonly enabled: boolean;
  /** False where no position exists or may be opened on these terms. */
  readonly active: boolean;
  /** The risk limit, all three or none: the largest position value at leverage 1, */
  readonly limitBase?: string;
  /** the power by which leverage makes it smaller, */
  readonly limitPower?: string;
  /** and the leverage up to which there is no limit. */
  readonly unlimitedThreshold?: string;
}

/** How an order is traded on margin. */
export interface OrderMargin {
  readonly mode: MarginMode;
  /** Its fills make a position smaller, and never turn it around. */
  readonly reduceOnly?: boolean;
  /** It closes the whole position when it is triggered, or is canceled; it has no quantity till then. */
  readonly closePosition?: boolean;
}

/** Position values are limited to base ÷ leverage^power where the leverage is above the threshold. */
export interface RiskLimit {
  readonly base: Decimal;
  readonly power: Decimal;
  readonly threshold: Decimal;
}

/** Margin terms with their numbers read. */
export interface MarginRules {
  readonly mode: MarginMode;
  readonly marginCallMul: Decimal;
  readonly liquidationMul: Decimal;
  readonly maxInitialLeverage: Decimal;
  readonly forceCloseFee: Decimal;
  /** Undefined where it is the taker's rate of each account. */
  readonly reserveRate: Decimal | undefined;
  readonly enabled: boolean;
  readonly active: boolean;
  readonly riskLimit: RiskLimit | undefined;
}

/**
 * Reads margin terms. Throws `instrument-invalid` when they contradict themselves: multipliers rise
 * above 1 from margin call to liquidation, a leverage is 1 at least, and at liquidation something is
 * left after the fee to close, of `reserveRate` or else `takeRate`, so that every price exists.
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
