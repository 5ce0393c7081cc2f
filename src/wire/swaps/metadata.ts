import { z } from 'zod';
import { stageTime, text } from './fields.ts';

/** `swap_metadata`: hashes and times of the stages, which both surfaces share. */
export const swapMetadata = z.object({
  id: text,
  /** Null until the deposit, like everything that belongs to a stage. */
  proxy_address: z.string().nullish(),
  user_deposit_tx: z.string().nullish(),
  fulfill_tx: z.string().nullish(),
  swap_tx: z.string().nullish(),
  created_at: stageTime,
  user_deposited_at: stageTime,
  fulfilled_at: stageTime,
  swapped_at: stageTime,
  refunded_at: stageTime,
});

export type SwapMetadata = z.output<typeof swapMetadata>;
