import type { Micros } from './time.ts';

/** Cancels what was scheduled; a second call does nothing. */
export type Cancel = () => void;

/**
 * Time and timers as an argument. Nothing above `platform/` reads a clock or sets a timer in
 * any other way, so that the same code runs on recorded and on real time.
 */
export interface Scheduler {
  now(): Micros;
  /** Runs `task` at `at`, or as soon as possible when that has passed; equal times run in the order asked. */
  at(at: Micros, task: () => void): Cancel;
}
