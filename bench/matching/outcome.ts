/** What a run of a file of operations took and came to. */
export interface Outcome {
  readonly elapsedNs: number;
  readonly trades: number;
  readonly tradedLots: number;
}
