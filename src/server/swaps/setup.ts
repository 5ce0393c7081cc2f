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
  readonly log?: Log;
}
