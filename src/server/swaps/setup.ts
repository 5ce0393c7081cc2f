import { isRejection } from '../../model/rejections.ts';
import type { Intent } from '../../swaps/intents/intent.ts';
import type { SwapIntents } from '../../swaps/intents/swap-intents.ts';
import type { Inputs } from '../data/inputs.ts';
import type { Log } from '../http/failures.ts';
import type { Partners } from './partners.ts';

/** Dependencies of both surfaces of the swap service. */
export interface SwapSetup {
  readonly service: SwapIntents;
  readonly partners: Partners;
  /** Log of inputs that change the state; none if absent. */
  readonly inputs?: Inputs;
  /** Called with internal errors, if present. */
  readonly log?: Log | undefined;
  /** Reads balance and allowance of an intent's owner from a live chain. */
  readonly readOwner?: ((intent: Intent) => Promise<void>) | undefined;
}

/** Before an approval of a partner is checked, its live chain is read. */
export async function readOwnerOf(
  { service, readOwner }: SwapSetup,
  path: string,
  { partner, id }: { readonly partner: string; readonly id: string },
): Promise<void> {
  if (readOwner === undefined || !path.endsWith('/approvals')) return;
  const intent = service.intent(partner, id);
  if (!isRejection(intent) && intent.state === 'created') await readOwner(intent);
}
