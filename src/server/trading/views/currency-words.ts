import type { Currency, Network } from '../../../model/currency.ts';

/** A link to a transaction, with `{tx}` for its hash; by default one of a host that cannot exist. */
export const explorerOf = ({ code, terms }: Currency): string =>
  terms.shown?.explorer ?? `https://explorer.example/${code}/{tx}`;

/** Protocol of a currency: the code itself if it is its network's own, else `TOKEN`. */
export const protocolOf = (currency: Currency, network: Network): string =>
  network.code === currency.code ? currency.code : 'TOKEN';
