import type { Scheduler } from '../../platform/scheduler.ts';
import type { Log } from '../../strategy/context.ts';
import type { Floor } from '../account/floor.ts';
import type { States } from '../risk/states.ts';
import type { Runner } from '../strategy/runner.ts';

/** The parts of a bot, as those see them who watch and operate it. */
export interface BotParts {
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly states: States;
  readonly floors: readonly Floor[];
  readonly runners: readonly Runner[];
}

/** Orders at an account: those of a configured strategy, or of one that is not configured any more. */
export type Seated = Pick<Runner, 'account' | 'seat' | 'name'>;

/** The seats of all accounts that belong to no configured strategy. */
export const orphansOf = ({ floors }: Pick<BotParts, 'floors'>): readonly Seated[] =>
  floors.flatMap(({ account }) =>
    account.seats.orphans.map((seat) => ({ account, seat, name: seat.name })),
  );
