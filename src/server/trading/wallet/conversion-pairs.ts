import type { WalletRequests } from '../../../exchange/requests/wallet.ts';
import { ZERO, type Decimal } from '../../../model/decimal.ts';
import { isRejection } from '../../../model/rejections.ts';

/** Two currencies with a conversion rate. */
export interface ConversionPair {
  readonly from_currency: string;
  readonly to_currency: string;
  /** Present least amount. */
  readonly min_amount: Decimal;
  /** Fraction of the result. */
  readonly fee_rate: Decimal;
}

/** All conversions that have a rate now. The exchange takes no fee for them. */
export function conversionPairs(wallet: WalletRequests): ConversionPair[] {
  const codes = wallet.currencies.map(({ code }) => code);
  return codes.flatMap((from) =>
    codes
      .filter((to) => to !== from)
      .flatMap((to) => {
        const least = wallet.leastConversion(from, to);
        if (least === undefined || isRejection(least)) return [];
        return [{ from_currency: from, to_currency: to, min_amount: least, fee_rate: ZERO }];
      }),
  );
}
