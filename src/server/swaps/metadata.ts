import type { Micros } from '../../platform/time.ts';
import type { Intent } from '../../swaps/intents/intent.ts';
import type { SwapMetadata } from '../../wire/swaps/metadata.ts';
import { isoText } from '../../wire/time.ts';

/** Hashes and times of the stages that an intent has reached; null for the others. */
export function metadataOf(intent: Intent): SwapMetadata {
  const { id, createdAt, deposit, fulfilment, swap, refund, order } = intent;
  return {
    id,
    proxy_address: deposit === undefined ? null : order.escrow,
    user_deposit_tx: deposit?.hash ?? null,
    fulfill_tx: fulfilment?.hash ?? null,
    swap_tx: swap?.hash ?? null,
    created_at: isoText(createdAt),
    user_deposited_at: timeOf(deposit),
    fulfilled_at: timeOf(fulfilment),
    swapped_at: timeOf(swap),
    refunded_at: timeOf(refund),
  };
}

const timeOf = (stage: { readonly at: Micros } | undefined): string | null =>
  stage === undefined ? null : isoText(stage.at);
