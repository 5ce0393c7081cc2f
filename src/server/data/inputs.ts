/**
 * All changes of a venue's state that do not follow from state and time: requests. A venue that keeps its
 * state logs each of them and repeats it at its next start. Effects of timers, market turns among them,
 * follow from the state.
 */
export interface Inputs {
  /** Registers how an input of a kind is repeated from its logged payload. */
  replays(kind: string, replay: (payload: unknown) => void): void;
  /**
   * Applies an input at one moment: the clock of the venue stands still during it. `payload` returns the
   * JSON to log. Effects of `run` are part of the input.
   */
  take<R>(kind: string, run: () => R, payload: () => unknown): R;
  /** Lets time advance and reads. */
  look<R>(run: () => R): R;
  /** True while there is no room on the disk: no input may be applied. */
  readonly isFull: boolean;
  /** True if nothing that has been done waits to be on the disk. */
  readonly isDurable: boolean;
  /** Calls `then` when everything done so far is on disk, in the order of the calls. */
  whenDurable(then: () => void): void;
}

/** For a venue that keeps nothing. */
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

/** The kinds of records of every log; requests have their own kinds. */
export const KINDS = {
  /** The market stood still: the venue was started again, or was too slow for it. */
  stood: 's',
  /** A digest of the state, which a replay is compared with. */
  check: 'c',
} as const;
