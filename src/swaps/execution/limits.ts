import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../platform/time.ts';

/** How long and how often an executor tries. */
export interface ExecutionLimits {
  /**
   * A transfer that is planned, quoted or created is given up after this, counted from when all
   * that it sends was there.
   */
  readonly unpaidUs: number;
  /** A transfer that is approved for longer is reported as late. */
  readonly approvedUs: number;
  /** The same for one that is deposited, where it does not usually take longer. */
  readonly depositedUs: number;
  /**
   * From one look at a transfer to the next: the shortest, after news; half as much again each
   * time.
   */
  readonly pollUs: number;
  /** The longest. */
  readonly pollMostUs: number;
  /** Plans that follow where transfers did not succeed. */
  readonly replans: number;
}

export const EXECUTION_LIMITS: ExecutionLimits = {
  unpaidUs: 15 * US_PER_MINUTE,
  approvedUs: 10 * US_PER_MINUTE,
  depositedUs: US_PER_HOUR,
  pollUs: US_PER_SECOND,
  pollMostUs: 30 * US_PER_SECOND,
  replans: 1,
};
