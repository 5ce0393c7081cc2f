import { isRejection } from '../../model/rejections.ts';
import type { Intent } from '../../swaps/intents/intent.ts';
import type { SwapIntents } from '../../swaps/intents/swap-intents.ts';
import type { Inputs } from '../data/inputs.ts';
import type { Log } from '../http/failures.ts';
import type { Partners } from './partners.ts';

/** What both surfaces of the swap service are served from. */
export interface SwapSetup {
  readonly service: SwapIntents;
  readonly partners: Partners;
  /** Where what changes the state is logged; nowhere where absent. */
  readonly inputs?: Inputs;
  /** Called with internal errors; nobody where absent. */
  readonly log?: Log | undefined;
  /** Reads from a real chain what the approval of an intent is judged by. */
  readonly readOwner?: ((intent: Intent) => Promise<void>) | undefined;
}

/** Before an approval of a partner is judged, its chain is asked where it is a real one. */
export async function readOwnerOf(
  { service, readOwner }: SwapSetup,
  path: string,
  { partner, id }: { readonly partner: string; readonly id: string },
): Promise<void> {
  if (readOwner === undefined || !path.endsWith('/approvals')) return;
  const intent = service.intent(partner, id);
  if (!isRejection(intent) && intent.state === 'created') await readOwner(intent);
}
