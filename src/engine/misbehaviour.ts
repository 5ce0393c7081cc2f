import { MillraceError } from '../model/errors.ts';

/** Reasons to stop a strategy. */

/**
 * Most commands that one event may cause, directly and indirectly, before it counts as an endless
 * loop.
 */
export const COMMANDS_MAX = 10_000;

export const circle = (name: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `Strategy ${name} gave more than ${COMMANDS_MAX} commands for one event; look for a stream that answers its own orders without end.`,
  );

export const outsideEventTime = (name: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `Strategy ${name} gave a command outside event time (a promise or a timer of its own); use RxJS operators.`,
  );

/** `what` has their number and the last one. */
export const rejectedInARow = (name: string, what: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `Strategy ${name} answers rejections at once with requests that are rejected again: ${what} Let it wait for the market, or look at the refusal of the order before it places again.`,
  );
