import { z } from 'zod';
import { decoded } from '../../wire/trading/faults.ts';
import type { Faults } from '../faults/faults.ts';
import { faultPlan, NO_FAULTS } from '../faults/plan.ts';
import { adminCall, type AdminCall } from './call.ts';

const NOTHING = z.object({});
const PATH = '/admin/faults';

/** Reads and changes the injected faults. */
export const faultCalls = (faults: Faults): readonly AdminCall[] => [
  adminCall({
    method: 'GET',
    path: PATH,
    summary: 'The plan of faults that is played, and what each rule has done',
    params: NOTHING,
    run: () => decoded(faults.state),
  }),
  adminCall({
    method: 'POST',
    path: PATH,
    summary: 'Plays a plan of faults in place of the one before',
    params: faultPlan,
    run: (plan) => {
      faults.play(plan);
      return decoded(faults.state);
    },
  }),
  adminCall({
    method: 'DELETE',
    path: PATH,
    summary: 'Ends all faults',
    params: NOTHING,
    run: () => {
      faults.play(NO_FAULTS);
      return decoded(faults.state);
    },
  }),
];
