import type { SwapClient } from '../../../../src/clients.ts';
import { SWAP_TOKENS, type SwapVenue } from '../../../server/swaps/kit.ts';
import { networkOf, signerOf } from '../kit.ts';

/** A venue whose resolver does nothing by itself. */
export const byHand = { resolver: { byHand: true } };

/** A swap of the user of the test from one token to another. */
export function requestOf(venue: SwapVenue, from: number, to: number, amount = '250.5') {
  const networkOfToken = (id: number) =>
    SWAP_TOKENS.find((token) => token.id === id)?.network ?? '';
  const user = venue.user(networkOfToken(from));
  return {
    user,
    network: networkOf(user.network),
    request: {
      from: { token_id: from, address: user.address, public_key: user.publicKey },
      to: { token_id: to, address: venue.user(networkOfToken(to)).address },
      refund_address: user.address,
      amount,
      slippage_bps: '50',
    },
  };
}

/** Swaps by the client in one go. */
export async function swapped(
  venue: SwapVenue,
  client: SwapClient,
  from: number,
  to: number,
  amount?: string,
) {
  const { user, network, request } = requestOf(venue, from, to, amount);
  return client.swap(request, { network, leastLots: 1n }, signerOf(user));
}
