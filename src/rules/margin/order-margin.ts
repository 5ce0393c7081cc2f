import { MARGIN_MODES } from '../../model/margin-terms.ts';
import type { OrderTerms, OrderType } from '../../model/order.ts';
import type { Rejection } from '../../model/rejections.ts';
import { quoted } from '../quoted.ts';

/** Members of an order that its margin terms must fit. */
type Terms = Pick<OrderTerms, 'type' | 'lots' | 'margin'>;

/** Checks the margin terms of an order, which may come from untyped code. */
export function orderMarginRejection({ type, lots, margin }: Terms): Rejection | undefined {
  if (margin === undefined) return undefined;
  const given: unknown = margin;
  if (typeof given !== 'object' || given === null) {
    return {
      code: 'request-invalid',
      field: 'margin',
      message: `margin is ${quoted(given)} and must be an object with a mode.`,
    };
  }
  const { mode, reduceOnly, closePosition } = margin;
  if (!MARGIN_MODES.includes(mode)) return modeInvalid(mode);
  return (
    flagRejection('reduceOnly', reduceOnly) ??
    flagRejection('closePosition', closePosition) ??
    (closePosition === true ? closingRejection(type, lots) : undefined)
  );
}

export const modeInvalid = (mode: unknown): Rejection => ({
  code: 'margin-mode-invalid',
  field: 'marginMode',
  message: `marginMode is ${quoted(mode)} and must be isolated or cross.`,
  limit: 'isolated, cross',
});

const flagRejection = (field: string, value: unknown): Rejection | undefined =>
  value === undefined || typeof value === 'boolean'
    ? undefined
    : {
        code: 'request-invalid',
        field,
        message: `${field} is ${quoted(value)} and must be true or false.`,
      };

function closingRejection(type: OrderType, lots: number): Rejection | undefined {
  if (type !== 'stopMarket' && type !== 'takeProfitMarket') {
    return {
      code: 'type-invalid',
      field: 'closePosition',
      message: `A ${type} order cannot close a position that it does not know yet; stopMarket and takeProfitMarket can.`,
      limit: 'stopMarket, takeProfitMarket',
    };
  }
  if (lots === 0) return undefined;
  return {
    code: 'quantity-invalid',
    field: 'quantity',
    message: 'An order that closes a position takes no quantity.',
  };
}
