import { MillraceError } from '../model/errors.ts';
import type { InstrumentTerms } from '../model/instrument.ts';

/**
 * Throws `futures-unsupported` for what bots cannot trade. A futures would be bought
 * and paid in full like spot, without margin, funding and liquidation, by a size of its own.
 *
 * @param where the recording that it comes from
 */
export function checkSpot({ symbol, type, ...terms }: InstrumentTerms, where: string): void {
  if (type === 'spot') return;
  const { contractSize, settlement, baseCurrency, quoteCurrency } = terms;
  const unit = settlement === 'inverse' ? quoteCurrency : baseCurrency;
  const size = contractSize === undefined ? '' : ` with contracts of ${contractSize} ${unit}`;
  const linear =
    settlement === 'inverse'
      ? ''
      : ` To trade its prices as if they were spot, import it with --type spot.`;
  throw new MillraceError(
    'futures-unsupported',
    `${symbol} is futures${size}, and bots trade spot: backtests trade it, bots will with a later release.${linear}`,
    { field: 'type', where },
  );
}
