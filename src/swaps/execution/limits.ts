import { US_PER_HOUR, US_PER_MINUTE, US_PER_SECOND } from '../../platform/time.ts';

/** How long and how often an executor tries. */
export interface ExecutionLimits {
  /** An unpaid transfer is given up after this, from when all that it sends was there. */
  readonly unpaidUs: number;
  /** A transfer in the state `approved` for longer is reported as late. */
  readonly approvedUs: number;
  /** The same for `deposited`, or twice the usual duration where that is longer. */
  readonly depositedUs: number;
  /** Shortest time between two polls of a transfer, after a change; each next one is half as long again. */
  readonly pollUs: number;
  /** Longest time between two polls. */
  readonly pollMostUs: number;
  /** Further plans after transfers that did not succeed. */
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
