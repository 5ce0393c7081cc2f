import { brief, type Decimal } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { marginAccountId } from '../../model/margin-account.ts';
import type { MarginMode } from '../../model/margin-terms.ts';
import type { AccountRequest, OrderRequest } from '../../model/order-request.ts';
import type { Rejection } from '../../model/rejections.ts';
import { marginName } from './margin-name.ts';

/** The symbols and margin modes of a request; none for a spot request or a cancel, which always passes. */
export function placesOf(
  request: AccountRequest,
): readonly { readonly symbol: string; readonly mode: MarginMode }[] {
  switch (request.kind) {
    case 'setMargin':
      return [request];
    case 'cancel':
      return [];
    case 'replace':
      return request.margin === undefined ? [] : [{ symbol: request.symbol, mode: request.margin }];
    default:
      return ordersOf(request).flatMap(({ symbol, margin }) =>
        margin === undefined ? [] : [{ symbol, mode: margin.mode }],
      );
  }
}

const ordersOf = (request: Extract<OrderRequest, { kind: 'place' | 'placeList' }>) =>
  request.kind === 'place' ? [request] : request.orders;

/** Another strategy has the margin account. */
export function taken(instrument: Instrument, mode: MarginMode, owner: string): Rejection {
  const marginAccount = marginAccountId(instrument, mode);
  return {
    code: 'margin-account-taken',
    field: 'margin',
    message: `Strategy ${owner} has ${marginName(marginAccount)}, and each margin account is traded by one strategy. Use the other margin mode or an account of its own, or let ${owner} set the balance to 0, which makes it free.`,
  };
}

/**
 * Rejects the claim of an account with funds that no strategy brought, without a balance: they count
 * as the strategy's own, so it must say how much.
 */
export function unowned(
  { symbol, quoteCurrency }: Instrument,
  mode: MarginMode,
  funds: Decimal,
): Rejection {
  return {
    code: 'margin-balance-invalid',
    field: 'balance',
    message: `The ${mode} margin account of ${symbol} has ${brief(funds)} ${quoteCurrency} that no strategy brought; give the balance that it is to have, which counts as the strategy's own.`,
  };
}
