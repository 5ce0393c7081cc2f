/** What a sweep tried, as plain data: equal definitions have equal results. */
export interface SweepDefinition {
  /** SHA-256 of all that follows and of what decides the runs, in hexadecimal. */
  readonly id: string;
  /** What decides the runs beside their parameters, such as the release and the text of a strategy. */
  readonly parts: Readonly<Record<string, string>>;
  readonly strategies: readonly { readonly name: string; readonly summary: string }[];
  /** The values of each parameter that varies. */
  readonly vary: Readonly<Record<string, readonly unknown[]>>;
  /** Parameters that do not vary; those that are absent have their defaults. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** The other settings of the backtest. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly markets: readonly DefinedMarket[];
  readonly search: string;
  readonly seed: number;
  /** Absent for a grid, which tries everything; `lag` is of a search by what came before. */
  readonly trials?: number;
  readonly lag?: number;
  /** The metric to rank by; `null` where a function ranks, and no two functions have the same id for sure. */
  readonly objective: string | null;
  readonly direction: 'maximize' | 'minimize';
  readonly constraints: readonly string[];
  /** Of a walk-forward: how the time is cut into trainings and tests. */
  readonly windows?: WalkForwardWindows;
}

/** How a walk-forward cuts the time; spans in microseconds. */
export interface WalkForwardWindows {
  readonly trainUs: number;
  readonly testUs: number;
  /** From one fold to the next. */
  readonly stepUs: number;
  /** Between the training and the test, for which nothing is learned. */
  readonly gapUs: number;
  /** Whether every training begins at the start, and grows. */
  readonly isAnchored: boolean;
}

export interface DefinedMarket {
  readonly recordings: readonly DefinedRecording[];
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What was replayed, ISO 8601. */
  readonly from: string;
  readonly till: string;
}

export interface DefinedRecording {
  readonly name: string;
  readonly symbol: string;
  readonly fingerprint: string;
  readonly rows: number;
}
