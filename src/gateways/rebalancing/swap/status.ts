import { MillraceError } from '../../../model/errors.ts';
import type { TransferChange } from '../../../swaps/execution/transfer-route.ts';
import { amountOf } from '../../../swaps/tokens.ts';
import type { SwapPath } from './wallet.ts';
import type { SwapStatus } from './service.ts';

/**
 * Effect of an intent's status on its transfer. The arrived amount is read from the chain, once it has the
 * confirmations of its network: the service reports only its bounds.
 */
export async function swapStatusOf(
  { state, sentLots, depositTx, fulfilTx }: SwapStatus,
  { from, to }: SwapPath,
): Promise<TransferChange> {
  const data = { deposit: depositTx ?? null, fulfilment: fulfilTx ?? null };
  switch (state) {
    case 'created':
      return { state: 'created' };
    case 'failed':
      return { state: 'failed', reason: 'The resolver declined the intent.' };
    case 'expired':
      return { state: 'expired', reason: 'The intent expired before it was executed.' };
    case 'deposited':
      return { state: 'deposited', data };
    case 'refundRequested':
      return { state: 'deposited', data, reason: 'A refund was requested.' };
    case 'refunded': {
      // Escrow returns what it took; the service reports no transaction of it.
      const refunded = amountOf(sentLots, from.token.decimals);
      return { state: 'refunded', data, refunded, reason: 'The service gave the money back.' };
    }
    case 'finished': {
      const arrived = await arrival(data.fulfilment, to);
      return arrived === undefined
        ? { state: 'deposited', data }
        : { state: 'fulfilled', data, arrived: amountOf(arrived, to.token.decimals) };
    }
    default:
      // Approved, verified, and names of unknown states.
      return { state: 'approved' };
  }
}

/** A transaction's payment to the wallet, in smallest units; nothing before it is confirmed. */
async function arrival(
  hash: string | null,
  { network, token, signer, node }: SwapPath['to'],
): Promise<bigint | undefined> {
  if (hash === null) throw amiss('tells no transaction that paid it');
  const made = await node.transaction(network.code, hash);
  if (made === undefined || made.confirmations < network.confirmations) return undefined;
  if (made.token !== token.id || made.to !== signer.address) {
    throw amiss(`tells the transaction ${hash}, which pays something else`);
  }
  return made.lots;
}

const amiss = (what: string): MillraceError =>
  new MillraceError('answer-invalid', `The swap service says that an intent is finished and ${what}.`); // prettier-ignore
