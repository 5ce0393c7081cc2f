/** Definition of a sweep, as plain data: equal definitions have equal results. */
export interface SweepDefinition {
  /** SHA-256 of all that follows and of the inputs of the runs, in hexadecimal. */
  readonly id: string;
  /**
   * Inputs of the runs besides their parameters, such as the release and the source of a strategy.
   */
  readonly parts: Readonly<Record<string, string>>;
  readonly strategies: readonly { readonly name: string; readonly summary: string }[];
  /** Values of each varied parameter. */
  readonly vary: Readonly<Record<string, readonly unknown[]>>;
  /** Fixed parameters; absent ones have their defaults. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** The other settings of the backtest. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly markets: readonly DefinedMarket[];
  readonly search: string;
  readonly seed: number;
  /** Absent for a grid, which tries everything; `lag` is for a search guided by results. */
  readonly trials?: number;
  readonly lag?: number;
  /** The metric to rank by; `null` for a function, which has no identity. */
  readonly objective: string | null;
  readonly direction: 'maximize' | 'minimize';
  readonly constraints: readonly string[];
  /** For a walk-forward: how the time is cut into trainings and tests. */
  readonly windows?: WalkForwardWindows;
}

/** How a walk-forward cuts the time; durations in microseconds. */
export interface WalkForwardWindows {
  readonly trainUs: number;
  readonly testUs: number;
  /** From one fold to the next. */
  readonly stepUs: number;
  /** Between the training and the test. */
  readonly gapUs: number;
  /** True if every training begins at the start, and grows. */
  readonly isAnchored: boolean;
}

export interface DefinedMarket {
  readonly recordings: readonly DefinedRecording[];
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Replayed time, ISO 8601. */
  readonly from: string;
  readonly till: string;
}

export interface DefinedRecording {
  readonly name: string;
  readonly symbol: string;
  readonly fingerprint: string;
  readonly rows: number;
}
