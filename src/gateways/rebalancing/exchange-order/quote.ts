import { Decimal } from '../../../model/decimal.ts';
import { MillraceError } from '../../../model/errors.ts';
import type { Rejection, RejectionCode } from '../../../model/rejections.ts';
import { micros, US_PER_MINUTE, US_PER_SECOND, type Micros } from '../../../platform/time.ts';
import { ExchangeOrderError, type ExchangeOrderFault } from '../../exchange-orders/fault.ts';
import type { OrderSource, OrderTarget } from './ends.ts';
import type { OrderService } from './orders.ts';

/** `fixed` is promised for a minute; `float` is what it will be when the payment is there. */
export type RateKind = 'fixed' | 'float';

/** Estimate of an order. */
export interface OrderQuote {
  readonly least: Decimal;
  readonly expected: Decimal;
  readonly expiresAt: Micros;
  readonly durationUs: number;
  readonly rateId?: string;
}

export interface OrderQuestion {
  readonly source: Pick<OrderSource, 'ticker'>;
  readonly target: Pick<OrderTarget, 'ticker' | 'decimals'>;
  /** Amount that reaches the payin address. */
  readonly amount: Decimal;
  readonly rate: RateKind;
  readonly tolerance: Decimal;
  readonly now: Micros;
}

/** How long an estimate without its own expiry is relied upon. */
const ESTIMATE_US = US_PER_MINUTE / 2;
/** From a payment that is there to the payout. */
const DURATION_US = 5 * US_PER_MINUTE;

/** Requests an order's estimate. The network fee is subtracted; rounded down. */
export async function quoteOrder(
  service: OrderService,
  question: OrderQuestion,
): Promise<OrderQuote | Rejection> {
  try {
    return await (question.rate === 'fixed' ? fixed : float)(service, question);
  } catch (error) {
    if (error instanceof ExchangeOrderError && error.code === 'service-refused') {
      return rejectionOf(error);
    }
    if (!(error instanceof MillraceError)) throw error;
    return { code: 'venue-unreachable', message: error.message };
  }
}

/** The payout is the payment times the rate, less the fee: the service may report either. */
async function fixed(
  service: OrderService,
  question: OrderQuestion,
): Promise<OrderQuote | Rejection> {
  const { source, target, amount } = question;
  const [rate] = await service.getFixRateForAmount({
    from: source.ticker,
    to: target.ticker,
    amountFrom: amount,
  });
  if (rate === undefined) return unavailable(question);
  const gross = floor(amount.times(rate.result), target);
  const net = floor(gross.minus(rate.networkFee), target);
  if (net.lessThanOrEqualTo(0)) return tooSmall(question, rate.networkFee);
  return {
    least: net,
    expected: net,
    expiresAt: micros(rate.expiredAt * US_PER_SECOND),
    durationUs: DURATION_US,
    rateId: rate.id,
  };
}

async function float(
  service: OrderService,
  question: OrderQuestion,
): Promise<OrderQuote | Rejection> {
  const { source, target, amount, tolerance, now } = question;
  const [estimate] = await service.getExchangeAmount({
    from: source.ticker,
    to: target.ticker,
    amountFrom: amount,
  });
  if (estimate === undefined) return unavailable(question);
  const net = floor(estimate.amountTo.minus(estimate.networkFee), target);
  if (net.lessThanOrEqualTo(0)) return tooSmall(question, estimate.networkFee);
  return {
    least: floor(net.times(new Decimal(1).minus(tolerance)), target),
    expected: net,
    expiresAt: micros(now + ESTIMATE_US),
    durationUs: DURATION_US,
  };
}

const floor = (amount: Decimal, { decimals }: Pick<OrderTarget, 'decimals'>): Decimal =>
  amount.toDecimalPlaces(decimals, Decimal.ROUND_FLOOR);

/** Rejection codes of the service's faults for an offer. */
const CODES: Partial<Record<ExchangeOrderFault, RejectionCode>> = {
  'amount-below-minimum': 'amount-below-minimum',
  'amount-above-maximum': 'amount-above-maximum',
  'amount-invalid': 'amount-invalid',
  'liquidity-insufficient': 'liquidity-insufficient',
  'currency-unknown': 'token-unknown',
  'currency-disabled': 'currency-disabled',
  'pair-unavailable': 'pair-unavailable',
  'address-invalid': 'address-invalid',
  'rate-id-expired': 'rate-id-invalid',
};

function rejectionOf({ fault, limit, message }: ExchangeOrderError): Rejection {
  const reported = limit === undefined ? {} : { limit: limit.toFixed() };
  return { code: CODES[fault] ?? 'venue-refused', message, ...reported };
}

const unavailable = ({ source, target }: OrderQuestion): Rejection => ({
  code: 'pair-unavailable',
  message: `The service has no rate from ${source.ticker} to ${target.ticker}.`,
});

const tooSmall = ({ amount, source }: OrderQuestion, fee: Decimal): Rejection => ({
  code: 'amount-below-minimum',
  message: `The fee of ${fee.toFixed()} leaves nothing of ${amount.toFixed()} ${source.ticker}.`,
});
