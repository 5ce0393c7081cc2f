import type { z } from 'zod';
import type { Decoded } from '../../wire/trading/faults.ts';

/** A call by whom the venue belongs to. */
export interface AdminCall<Params extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the root: `/admin/faults`. */
  readonly path: `/admin/${string}`;
  /** What it does, in a sentence. */
  readonly summary: string;
  /** The JSON body; of a GET or DELETE the query. */
  readonly params: Params;
  /** Executes it; returns the answer as JSON, or a fault. */
  readonly run: (params: z.output<Params>) => Decoded<unknown>;
}

/** A call of a list of calls, whatever its parameters are: `run` gets what `params` has read. */
export const adminCall = <Params extends z.ZodType>(call: AdminCall<Params>): AdminCall => call;
