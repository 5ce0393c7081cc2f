/** What `millrace/backtest` exports: backtests and sweeps for programs and notebooks. */
export { backtest, type BacktestOptions, type BacktestRun } from './research/backtest.ts';
export type { BacktestSettings, DecimalInput, FeeSettings } from './research/settings.ts';
export type { EquityArrays, FillArrays, OrderArrays, RunSeries } from './research/columns.ts';
export type {
  AmountRecord,
  BacktestResult,
  BalanceRecord,
  BuyAndHold,
  DecimalText,
  AlgoOrderRow,
  FillRow,
  InstrumentSeries,
  FirstRows,
  LogRow,
  MarginAccountRecord,
  MarginRecord,
  MarginSide,
  Metrics,
  TransferRow,
  OrderRow,
  OrderStatistics,
  PlanRecord,
  PortfolioRecord,
  QualityRecord,
  RecordingRecord,
  Series,
  HoldingRecord,
  TimeText,
  TradeRow,
  TradeStatistics,
} from './backtest/result.ts';
export type { Progress } from './backtest/run.ts';
export { MillraceError, type ErrorCode, type ErrorDetails } from './model/errors.ts';
export { sweep } from './research/sweep/sweep.ts';
export type {
  JudgedRun,
  StoreOverfitting,
  SweepMarket,
  SweepNats,
  SweepOptions,
  SweepOverfitting,
  SweepProgress,
  SweepResult,
  SweepRow,
  SweptBacktest,
} from './research/sweep/options.ts';
export {
  parameterSearch,
  type ParameterSearch,
  type SearchOptions,
  type SearchSet,
} from './research/sweep/parameter-search.ts';
export type { RunFault, RunFigures } from './research/sweep/runner.ts';
export type { StoredReturns } from './research/sweep/returns.ts';
export type { Variation, VariationRange } from './research/sweep/space.ts';
export type {
  DefinedMarket,
  DefinedRecording,
  SweepDefinition,
  WalkForwardWindows,
} from './research/sweep/definition.ts';
export { sweepCsv } from './research/sweep/csv.ts';
export {
  deflatedSharpe,
  minimumTrackRecord,
  probabilisticSharpe,
  sharpeMoments,
} from './research/statistics/sharpe.ts';
export type { Returns, SharpeMoments } from './research/statistics/returns.ts';
export {
  overfittingProbability,
  type OverfittingProbability,
} from './research/statistics/overfitting.ts';
export {
  permutationTest,
  realityCheck,
  stationaryBootstrap,
  type Bootstrapping,
  type RealityCheck,
  type Resampling,
} from './research/statistics/resampling.ts';
export { exportTables, type TableFormat } from './research/export/tables.ts';
export { report } from './research/report.ts';
export { walkForward } from './research/walk-forward/walk-forward.ts';
export type {
  FoldWindow,
  ParameterStability,
  StitchedEquity,
  WalkForwardFold,
  WalkForwardOptions,
  WalkForwardResult,
} from './research/walk-forward/options.ts';
