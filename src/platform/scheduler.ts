import type { Micros } from './time.ts';

/** Cancels what was scheduled; a second call does nothing. */
export type Cancel = () => void;

/**
 * Time and timers as an argument. Nothing above `platform/` reads a clock or sets a timer in any other way,
 * so that the same code runs on recorded and on real time.
 */
export interface Scheduler {
  now(): Micros;
  /**
   * Runs `task` at `at`, or as soon as possible if that has passed; equal times run in the order of the
   * calls.
   */
  at(at: Micros, task: () => void): Cancel;
}

/** A scheduler for thousands of tasks: nothing is allocated for a task but its entry. */
export interface PostScheduler extends Scheduler {
  /** As `at`, for a task that is the same each time and is never canceled. */
  post<T>(at: Micros, task: (argument: T) => void, argument: T): void;
}

/** The same scheduler with `post`; if it has none, each posted task uses `at`. */
export function posting(scheduler: Scheduler): PostScheduler {
  if (isPosting(scheduler)) return scheduler;
  return {
    now: () => scheduler.now(),
    at: (at, task) => scheduler.at(at, task),
    post: (at, task, argument) => {
      scheduler.at(at, () => task(argument));
    },
  };
}

const isPosting = (scheduler: Scheduler): scheduler is PostScheduler => 'post' in scheduler;
