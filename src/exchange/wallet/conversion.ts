import { brief, type Decimal } from '../../model/decimal.ts';
import { isRefusal, type Refusal } from '../../model/refusals.ts';
import type { Micros } from '../../platform/time.ts';
import { coverRefusal, stepRefusal } from '../../rules/movement.ts';
import { TAPE } from '../ledger/ledger.ts';
import type { Bank } from './bank.ts';
import type { Found } from './currencies.ts';

/** An amount of one currency that is to become another. */
export interface ConversionRequest {
  readonly from: string;
  readonly to: string;
  readonly amount: Decimal;
}

/**
 * Changes money of a wallet into another currency at the price rate of the moment, for no fee. The
 * result is rounded down to the precision of transfers. The other side is the recorded market, the market
 * outside, so that what all accounts have together stays the same in both currencies.
 */
/** What an amount would become. */
export function quoteConversion(
  bank: Bank,
  { from, to, amount }: ConversionRequest,
): Decimal | Refusal {
  const sides = sidesOf(bank, from, to);
  if (isRefusal(sides)) return sides;
  const [source, target] = sides;
  const refusal = stepRefusal(amount, source.currency.precisionTransfer);
  if (refusal !== undefined) return refusal;
  const rate = bank.rate(from, to);
  if (rate === undefined) return rateMissing(from, to);
  const result = amount.times(rate);
  const step = target.currency.precisionTransfer;
  const whole = result.minus(result.modulo(step));
  return whole.greaterThan(0) ? whole : worthless(amount, from, step, to);
}

/**
 * The least amount that is worth anything: so many steps of the one currency that they come to a
 * step of the other, rounded up; `undefined` where there is no rate.
 */
export function leastConversion(
  bank: Bank,
  from: string,
  to: string,
): Decimal | undefined | Refusal {
  const sides = sidesOf(bank, from, to);
  if (isRefusal(sides)) return sides;
  const [source, target] = sides;
  const rate = bank.rate(from, to);
  if (rate === undefined || !rate.greaterThan(0)) return undefined;
  const { precisionTransfer: step } = source.currency;
  const goal = target.currency.precisionTransfer;
  const steps = goal.dividedBy(rate.times(step)).ceil();
  // The quotient is rounded, so that its ceiling may be one too few.
  const amount = steps.times(step);
  return amount.times(rate).lessThan(goal) ? amount.plus(step) : amount;
}

/** Changes an amount and gives the ids of the two transactions: what left, what came. */
export function convert(
  bank: Bank,
  account: number,
  request: ConversionRequest,
  at: Micros,
): readonly [string, string] | Refusal {
  const { from, to, amount } = request;
  const result = quoteConversion(bank, request);
  if (isRefusal(result)) return result;
  const sides = sidesOf(bank, from, to);
  if (isRefusal(sides)) return sides;
  const [source, target] = sides;
  const { vaults, transactions } = bank;
  const refusal = coverRefusal(amount, vaults.available('wallet', account, source.index), from);
  if (refusal !== undefined) return refusal;
  vaults.move(source.index, amount, ['wallet', account], ['wallet', TAPE]);
  vaults.move(target.index, result, ['wallet', TAPE], ['wallet', account]);
  const common = {
    account,
    type: 'SWAP',
    subtype: 'INSTANT_EXCHANGE',
    status: 'SUCCESS',
    operationId: transactions.operation(),
  } as const;
  const left = transactions.begin({ ...common, direction: 'out', currency: from, amount }, at);
  const came = { ...common, direction: 'in', currency: to, amount: result } as const;
  return [left.txId, transactions.begin(came, at).txId];
}

function sidesOf(bank: Bank, from: string, to: string): readonly [Found, Found] | Refusal {
  const source = bank.currencies.find(from, 'from');
  if (isRefusal(source)) return source;
  const target = bank.currencies.find(to, 'to');
  if (isRefusal(target)) return target;
  if (source.index !== target.index) return [source, target];
  return {
    code: 'route-invalid',
    field: 'to',
    message: `A conversion is from one currency to another, not from ${from} to ${to}.`,
  };
}

const rateMissing = (from: string, to: string): Refusal => ({
  code: 'rate-missing',
  field: 'to',
  message: `There is no price rate from ${from} to ${to} now.`,
});

const worthless = (amount: Decimal, from: string, step: Decimal, to: string): Refusal => ({
  code: 'amount-off-precision',
  field: 'amount',
  message: `${brief(amount)} ${from} is worth less than ${step.toFixed()} ${to}.`,
  limit: step.toFixed(),
});
