/** What a run of a file of operations took and came to. */
export interface Outcome {
  /** Time that the thread had a processor: others on the machine change it little. */
  readonly busyNs: number;
  readonly trades: number;
  readonly tradedLots: number;
}
