/**
 * Spans of time in milliseconds, the unit of RxJS's time operators: `auditTime(seconds(5))`.
 * In a backtest they pass in event time.
 */
export const seconds = (count: number): number => count * 1_000;

export const minutes = (count: number): number => count * 60_000;

export const hours = (count: number): number => count * 3_600_000;

export const days = (count: number): number => count * 86_400_000;
