import type { ChainWorld } from '../chains/chain-world.ts';
import type { OrderCurrency } from './currencies.ts';
import { addressInvalid, parameterInvalid, type Denial } from './denials.ts';
import type { OrderParties } from './order.ts';

const EXTRA_ID = /^[\w-]{1,64}$/;

/** Checks that an order's addresses can receive its money. */
export function checkParties(
  chains: ChainWorld,
  [from, to]: readonly [OrderCurrency, OrderCurrency],
  parties: OrderParties,
): Denial | undefined {
  const { payoutAddress, payoutExtraId, refundAddress, refundExtraId } = parties;
  const { fromAddress, fromExtraId, userMetadata } = parties;
  if (!isAddress(chains, to, payoutAddress)) return addressInvalid('payout', to.ticker);
  if (refundAddress !== undefined && !isAddress(chains, from, refundAddress)) {
    return addressInvalid('refund', from.ticker);
  }
  if (fromAddress !== undefined && !isAddress(chains, from, fromAddress)) {
    return parameterInvalid('fromAddress', `It is no address of ${from.ticker}.`);
  }
  return (
    checkExtraId('extraId', to, payoutExtraId) ??
    checkExtraId('refundExtraId', from, refundExtraId) ??
    checkExtraId('fromExtraId', from, fromExtraId) ??
    checkMetadata(userMetadata)
  );
}

/** True for an address of the network that a currency is on. */
export const isAddress = (chains: ChainWorld, { chain }: OrderCurrency, address: string): boolean =>
  chains.isAddress(chain.code, address);

/** True for what can be sent with a payment in a currency that has such. */
export const isExtraId = ({ extraIdName }: OrderCurrency, extraId: string): boolean =>
  extraIdName !== undefined && EXTRA_ID.test(extraId);

function checkExtraId(name: string, currency: OrderCurrency, extraId?: string): Denial | undefined {
  if (extraId === undefined || isExtraId(currency, extraId)) return undefined;
  return parameterInvalid(name, `It is nothing that is sent with ${currency.ticker}.`);
}

function checkMetadata(text: string | undefined): Denial | undefined {
  if (text === undefined) return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return parameterInvalid('userMetadata', 'It is no JSON.');
  }
}
