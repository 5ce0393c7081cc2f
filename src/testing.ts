/** The test kit for strategies: feed in, commands out. */
export { at } from './engine/test-kit/replay.ts';
export { replay } from './backtest/test-kit/replay.ts';
export type { Replay, ReplayOptions, TimedCommand } from './engine/test-kit/replay.ts';
export type { AuditEvent } from './engine/audit.ts';
export type { TestEvent, TestLevel, TestNumber } from './engine/test-kit/feed.ts';
export type { TestPortfolioNews } from './engine/test-kit/portfolio.ts';
export type { TestTime } from './engine/test-kit/time.ts';
