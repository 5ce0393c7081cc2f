import { Decimal } from './decimal.ts';
import type { InstrumentTerms } from './instrument.ts';

/**
 * The terms of a linear contract whose quantities are counted in its base currency, whatever its size: lots are
 * the same. One that does not say how it ends does not end.
 */
export function inBaseCurrency(terms: InstrumentTerms): InstrumentTerms {
  const { contractSize = '1', settlement: _linear, minQuantity, ...rest } = terms;
  const inBase = (quantity: string): string => new Decimal(contractSize).times(quantity).toFixed();
  return {
    ...rest,
    quantityIncrement: inBase(terms.quantityIncrement),
    ...(minQuantity === undefined ? {} : { minQuantity: inBase(minQuantity) }),
    contractType: terms.contractType ?? 'perpetual',
  };
}
