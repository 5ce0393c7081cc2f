import { z } from 'zod';
import { httpRule } from './http-rule.ts';
import { streamRule } from './stream-rule.ts';

const DAY_MS = 86_400_000;

/** Faults to inject; none by default. The same plan with the same seed strikes at the same occasions. */
export const faultPlan = z.strictObject({
  /** Of the chances of the rules. */
  seed: z.int().default(1),
  /** Requests to all services. The first rule that strikes decides, before and after apart. */
  http: z.array(httpRule).max(100).default([]),
  /** Frames that leave over sockets. */
  streams: z.array(streamRule).max(100).default([]),
  /** Every request is answered with 503. */
  maintenance: z.boolean().default(false),
  /** How far the clock of the service is ahead; negative if behind. */
  clockSkewMs: z.int().min(-DAY_MS).max(DAY_MS).default(0),
});

export type FaultPlan = z.output<typeof faultPlan>;

/** Nothing goes wrong. */
export const NO_FAULTS: FaultPlan = faultPlan.parse({});
