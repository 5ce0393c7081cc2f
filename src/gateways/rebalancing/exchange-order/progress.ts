import { ZERO } from '../../../model/decimal.ts';
import type { TransferChange } from '../../../swaps/execution/transfer-route.ts';
import type { OrderStatus } from './orders.ts';

/**
 * Effect of an order's status on its transfer, which has been paid: `paid` is the progress of the payment.
 * Money that the service neither pays out nor returns is no final state: an operator has to ask.
 */
export function changeByStatus(order: OrderStatus, paid: TransferChange): TransferChange {
  const { status, amountFrom, amountTo, amountExpectedTo, networkFee } = order;
  const data = { ...paid.data, status };
  switch (status) {
    case 'finished':
      return {
        state: 'fulfilled',
        data,
        arrived: amountTo ?? amountExpectedTo.minus(networkFee),
      };
    case 'refunded':
      return { state: 'refunded', data, refunded: amountFrom ?? order.amountExpectedFrom };
    case 'failed':
      // A part that may come back has not left for good.
      return order.canRefund
        ? { state: 'deposited', data, reason: FAILED }
        : { state: 'failed', data, refunded: ZERO, reason: FAILED };
    case 'hold':
      return { state: 'deposited', data, reason: HELD };
    case 'overdue':
    case 'expired':
      return { state: 'deposited', data, reason: LATE };
    case 'confirming':
    case 'exchanging':
    case 'sending':
      return { state: 'deposited', data };
    default:
      // Waiting for the payment, or a status of a newer service.
      return { ...paid, data };
  }
}

const HELD = 'The exchange service holds the payment for a check: ask its support what it needs.';
const FAILED = 'The exchange has failed: ask the support of the service for the money.';
const LATE = 'The payment came too late: ask the support of the service for the money.';
