import type { Contract, Funding } from './contract.ts';
import type { Cover, MarginReport } from './report.ts';

/** Who is told what happens to margin accounts and to futures contracts. */
export interface MarginListener {
  /** Something happened to a margin account; told after the reports of orders, before the balances. */
  marginAccount?(report: MarginReport): void;
  /** What an account lacked was paid for it; told after what happened to it. */
  covered?(cover: Cover): void;
  /** A contract's funding was paid. */
  funding?(contract: Contract, funding: Funding): void;
  /** A cash-settled contract was settled at a price in ticks. */
  cleared?(contract: Contract, ticks: number): void;
}
