import { Decimal, ZERO } from '../../model/decimal.ts';
import type { Instrument } from '../../model/instrument.ts';
import { lots } from '../../model/units.ts';
import { buyReserve, sellReserve, type FeeRates } from '../../rules/funds.ts';
import type { Factor } from './amount.ts';
import type { Ledger } from './ledger.ts';
import type { CurrencyBalances } from './balances.ts';

/**
 * Payments and receipts of one role (taker or maker), per tick and lot in quote, per lot in base.
 */
export interface RoleFees {
  readonly buyerPays: Factor;
  readonly buyerGets: Factor;
  readonly sellerPays: Factor;
  readonly sellerGets: Factor;
  readonly fee: Factor;
}

/** Payments of an instrument: which balances move and by how much per tick and lot. */
export interface FeeSchedule {
  readonly instrument: Instrument;
  readonly rates: FeeRates;
  readonly base: CurrencyBalances;
  readonly quote: CurrencyBalances;
  readonly baseIndex: number;
  readonly quoteIndex: number;
  readonly feeInQuote: boolean;
  readonly taker: RoleFees;
  readonly maker: RoleFees;
  /** Payment of the recorded market: the trade without fees. */
  readonly value: Factor;
  readonly lot: Factor;
  /** Reserve of an order, per tick and lot for buys, per lot for sells. */
  readonly buyReserve: Factor;
  readonly sellReserve: Factor;
}

/**
 * Converts fee rates, by default those of the instrument, to factors of the ledger's atomic units.
 */
export function feeSchedule(
  instrument: Instrument,
  ledger: Ledger,
  rates: FeeRates = instrument,
): FeeSchedule {
  const baseIndex = ledger.currency(instrument.baseCurrency);
  const quoteIndex = ledger.currency(instrument.quoteCurrency);
  const base = ledger.balances[baseIndex];
  const quote = ledger.balances[quoteIndex];
  const feeInQuote = instrument.terms.feeCurrency === instrument.quoteCurrency;
  // A contract moves no base currency.
  const lot = base.factor(instrument.isContract ? ZERO : instrument.quantityIncrement);
  const value = quote.factor(instrument.tickValue);
  const role = (rate: Decimal): RoleFees => {
    const up = new Decimal(1).plus(rate);
    const down = new Decimal(1).minus(rate);
    return feeInQuote
      ? {
          buyerPays: quote.factor(instrument.tickValue.times(up)),
          buyerGets: lot,
          sellerPays: lot,
          sellerGets: quote.factor(instrument.tickValue.times(down)),
          fee: quote.factor(instrument.tickValue.times(rate)),
        }
      : {
          buyerPays: value,
          buyerGets: base.factor(instrument.quantityIncrement.times(down)),
          sellerPays: base.factor(instrument.quantityIncrement.times(up)),
          sellerGets: value,
          fee: base.factor(instrument.quantityIncrement.times(rate)),
        };
  };
  return {
    instrument,
    rates,
    base,
    quote,
    baseIndex,
    quoteIndex,
    feeInQuote,
    taker: role(rates.takeRate),
    maker: role(rates.makeRate),
    value,
    lot,
    buyReserve: quote.factor(buyReserve(instrument, instrument.tickValue, rates)),
    sellReserve: base.factor(sellReserve(instrument, lots(1), rates)),
  };
}

/** Removes the factors of an unused fee schedule from the balances. */
export function forgetFeeSchedule(old: FeeSchedule): void {
  const { taker, maker, value, lot, buyReserve, sellReserve } = old;
  const roles = [taker, maker].flatMap((role) => Object.values(role) as Factor[]);
  for (const factor of [...roles, value, lot, buyReserve, sellReserve]) {
    old.base.forget(factor);
    old.quote.forget(factor);
  }
}
