/**
 * Where everything comes together that changes the state of a venue and does not follow from the
 * state and the time: requests. A venue that keeps its state logs each of them and does it again at
 * its next start. What timers do, turns of the market among them, follows from the state.
 */
export interface Inputs {
  /** Says how an input of a kind is done again, from what was logged of it. */
  replays(kind: string, replay: (payload: unknown) => void): void;
  /**
   * Does something that changes the state, at one moment: the clock of the venue stands meanwhile.
   * `payload` says what to log of it, as JSON has it. What it does in turn is part of it.
   */
  take<R>(kind: string, run: () => R, payload: () => unknown): R;
  /** Does something that only lets time come and reads. */
  look<R>(run: () => R): R;
  /** True while there is no room on the disk: nothing is to be taken then. */
  readonly isFull: boolean;
  /** True if nothing that has been done waits to be on the disk. */
  readonly isDurable: boolean;
  /** Calls when everything that has been done so far is on the disk, in the order of the calls. */
  whenDurable(then: () => void): void;
}

/** Of a venue that keeps nothing. */
export const UNLOGGED: Inputs = {
  replays: () => undefined,
  take: (_kind, run) => run(),
  look: (run) => run(),
  isFull: false,
  isDurable: true,
  whenDurable: (then) => {
    then();
  },
};

/** The kinds of records that every log has; requests have kinds of their own. */
export const KINDS = {
  /** The market stood still: the venue was started again, or was too slow for it. */
  stood: 's',
  /** What the state comes to, so that a replay can be held against it. */
  check: 'c',
} as const;
