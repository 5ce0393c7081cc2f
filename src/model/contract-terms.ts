import { Decimal } from './decimal.ts';
import type { InstrumentTerms } from './instrument.ts';

/**
 * Terms of a linear contract with quantities in its base currency; the lots stay the same. A
 * contract without a type is perpetual.
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
