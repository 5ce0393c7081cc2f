import type { DepositAddresses } from '../../../src/cli/venue/addresses.ts';
import { started, type RunningProcess, type Surroundings } from '../process.ts';

/** A venue that runs as a process of its own. */
export interface VenueProcess extends RunningProcess {
  /** Kept once it has written a whole line, broken when it ended before. */
  readonly opened: Promise<void>;
}

/** Starts `millrace venue` as a process of its own, for those who kill it or stop it. */
export function startVenue(
  args: readonly string[],
  surroundings: Omit<Surroundings, 'stdout'> = {},
): VenueProcess {
  const venue = started(['venue', ...args], surroundings);
  return { ...venue, opened: venue.says('\n') };
}

/** The addresses that a venue has printed. */
export const addressesOf = ({ out }: { readonly out: () => string }): DepositAddresses =>
  JSON.parse(out()) as DepositAddresses;
