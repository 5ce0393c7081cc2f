import { Currency, plainCurrency, type CurrencyTerms, type Network } from '../../model/currency.ts';
import type { Rejection } from '../../model/rejections.ts';

/** A currency and its index, as found by code. */
export interface Found {
  readonly currency: Currency;
  /** Index among the balances of every ledger. */
  readonly index: number;
}

/** Currencies of the wallets: those of the instruments, and those configured. */
export class Currencies {
  readonly all: readonly Currency[];
  readonly #found: ReadonlyMap<string, Found>;

  /**
   * `codes` are the currencies of the ledgers, in their order; `terms` are those of some of them.
   */
  constructor(codes: readonly string[], terms: readonly CurrencyTerms[]) {
    const given = new Map(terms.map((each) => [each.code, each]));
    this.all = codes.map((code) => new Currency(given.get(code) ?? plainCurrency(code)));
    this.#found = new Map(this.all.map((currency, index) => [currency.code, { currency, index }]));
  }

  /** Finds a currency by its code. */
  find(code: string, field = 'currency'): Found | Rejection {
    const found = this.#found.get(code);
    if (found !== undefined) return found;
    return {
      code: 'currency-unknown',
      field,
      message: `There is no currency "${code}" here; there are ${[...this.#found.keys()].join(', ')}.`,
    };
  }

  /** A network of a currency, the default one if `code` is absent. */
  network(currency: Currency, code: string | undefined): Network | Rejection {
    const network = currency.network(code);
    if (network !== undefined) return network;
    const codes = currency.networks.map((each) => each.code).join(', ');
    return {
      code: 'network-unknown',
      field: 'network',
      message: `${currency.code} has no network "${code ?? ''}"; it has ${codes}.`,
    };
  }
}
