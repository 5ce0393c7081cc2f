import { MillraceError } from '../model/errors.ts';

/** What a strategy is stopped for. */

/** Commands that one event may lead to before the strategy is taken to go round in a circle. */
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

/** `what` says how many there were, and which was the last. */
export const rejectedInARow = (name: string, what: string): MillraceError =>
  new MillraceError(
    'strategy-failed',
    `Strategy ${name} answers rejections at once with requests that are rejected again: ${what} Let it wait for the market, or look at the refusal of the order before it places again.`,
  );
