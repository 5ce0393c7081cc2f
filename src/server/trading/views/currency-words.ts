import type { Currency, Network } from '../../../model/currency.ts';

/**
 * A link to a transaction, with `{tx}` for its hash. A currency of which none is configured has one
 * of a host that cannot exist.
 */
export const explorerOf = ({ code, terms }: Currency): string =>
  terms.shown?.explorer ?? `https://explorer.example/${code}/{tx}`;

/** What hosts a currency: the code itself where it is its network's own, else `TOKEN`. */
export const protocolOf = (currency: Currency, network: Network): string =>
  network.code === currency.code ? currency.code : 'TOKEN';
