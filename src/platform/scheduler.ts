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

/** A scheduler that takes tasks by the thousand: nothing is made for a task but its entry. */
export interface PostScheduler extends Scheduler {
  /** As `at`, for a task that is the same each time and is never canceled. */
  post<T>(at: Micros, task: (argument: T) => void, argument: T): void;
}

/** The same scheduler with a way to post; where it has none, each posted task is one of `at`. */
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
