import { brief, type Decimal } from '../../model/decimal.ts';
import { isRejection, type Rejection } from '../../model/rejections.ts';
import type { Micros } from '../../platform/time.ts';
import { coverRejection, stepRejection } from '../../rules/movement.ts';
import { RECORDED_MARKET } from '../ledger/ledger.ts';
import type { Bank } from './bank.ts';
import type { Found } from './currencies.ts';

/** A conversion between two currencies. */
export interface ConversionRequest {
  readonly from: string;
  readonly to: string;
  readonly amount: Decimal;
}

/**
 * Conversions of wallet money at the current price rate, without a fee. The result is rounded down
 * to the precision of transfers. The recorded market is the other side, so that the sum of all
 * accounts stays the same in both currencies.
 */
/** Result of a conversion. */
export function quoteConversion(
  bank: Bank,
  { from, to, amount }: ConversionRequest,
): Decimal | Rejection {
  const sides = sidesOf(bank, from, to);
  if (isRejection(sides)) return sides;
  const [source, target] = sides;
  const rejection = stepRejection(amount, source.currency.precisionTransfer);
  if (rejection !== undefined) return rejection;
  const rate = bank.rate(from, to);
  if (rate === undefined) return rateMissing(from, to);
  const result = amount.times(rate);
  const step = target.currency.precisionTransfer;
  const whole = result.minus(result.modulo(step));
  return whole.greaterThan(0) ? whole : worthless(amount, from, step, to);
}

/**
 * Least convertible amount: as many steps of the one currency as are worth a step of the other,
 * rounded up; `undefined` without a rate.
 */
export function leastConversion(
  bank: Bank,
  from: string,
  to: string,
): Decimal | undefined | Rejection {
  const sides = sidesOf(bank, from, to);
  if (isRejection(sides)) return sides;
  const [source, target] = sides;
  const rate = bank.rate(from, to);
  if (rate === undefined || !rate.greaterThan(0)) return undefined;
  const { precisionTransfer: step } = source.currency;
  const goal = target.currency.precisionTransfer;
  const steps = goal.dividedBy(rate.times(step)).ceil();
  // The quotient is rounded, so that its ceiling may be one too small.
  const amount = steps.times(step);
  return amount.times(rate).lessThan(goal) ? amount.plus(step) : amount;
}

/** Converts an amount and returns the ids of both transactions. */
export function convert(
  bank: Bank,
  account: number,
  request: ConversionRequest,
  at: Micros,
): readonly [string, string] | Rejection {
  const { from, to, amount } = request;
  const result = quoteConversion(bank, request);
  if (isRejection(result)) return result;
  const sides = sidesOf(bank, from, to);
  if (isRejection(sides)) return sides;
  const [source, target] = sides;
  const { accountLedgers, transactions } = bank;
  const rejection = coverRejection(
    amount,
    accountLedgers.available('wallet', account, source.index),
    from,
  );
  if (rejection !== undefined) return rejection;
  accountLedgers.move(source.index, amount, ['wallet', account], ['wallet', RECORDED_MARKET]);
  accountLedgers.move(target.index, result, ['wallet', RECORDED_MARKET], ['wallet', account]);
  const common = {
    account,
    type: 'SWAP',
    subtype: 'INSTANT_EXCHANGE',
    status: 'SUCCESS',
    operationId: transactions.operation(),
  } as const;
  const left = transactions.begin({ ...common, direction: 'out', currency: from, amount }, at);
  const received = { ...common, direction: 'in', currency: to, amount: result } as const;
  return [left.txId, transactions.begin(received, at).txId];
}

function sidesOf(bank: Bank, from: string, to: string): readonly [Found, Found] | Rejection {
  const source = bank.currencies.find(from, 'from');
  if (isRejection(source)) return source;
  const target = bank.currencies.find(to, 'to');
  if (isRejection(target)) return target;
  if (source.index !== target.index) return [source, target];
  return {
    code: 'route-invalid',
    field: 'to',
    message: `A conversion is from one currency to another, not from ${from} to ${to}.`,
  };
}

const rateMissing = (from: string, to: string): Rejection => ({
  code: 'rate-missing',
  field: 'to',
  message: `There is no price rate from ${from} to ${to} now.`,
});

const worthless = (amount: Decimal, from: string, step: Decimal, to: string): Rejection => ({
  code: 'amount-off-precision',
  field: 'amount',
  message: `${brief(amount)} ${from} is worth less than ${step.toFixed()} ${to}.`,
  limit: step.toFixed(),
});
