import { constants } from 'node:os';
import { nextTurn } from './turn.ts';

/** What emits signals, and errors that nobody catches, as a process does. */
export type Signals = Pick<NodeJS.EventEmitter, 'on' | 'once' | 'off'>;

/** What ends a process from outside, by its number. */
const SIGNALS = { SIGINT: constants.signals.SIGINT, SIGTERM: constants.signals.SIGTERM } as const;

/** The user or the system stopped the command. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  /** As shells write it: 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(signal: keyof typeof SIGNALS, kept: string) {
    super(`Stopped by ${signal}; ${kept}.`);
    this.exitCode = 128 + SIGNALS[signal];
  }
}

/**
 * Does work that ends early, through its signal, when the process is asked to stop or when an error
 * turns up that nobody catches: a promise left floating, a timer that throws. `explain` says whose
 * fault such an error is, and `kept` what of the work is there when it was stopped. A second signal
 * ends the process at once.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  explain: (error: unknown) => Error,
  source: Signals = process,
  kept = 'nothing was kept',
): Promise<T> {
  const controller = new AbortController();
  const stray = (error: unknown): void => {
    controller.abort(explain(error));
  };
  const listeners: readonly (readonly [string, (error: unknown) => void])[] = [
    ['uncaughtException', stray],
    ['unhandledRejection', stray],
    ...(['SIGINT', 'SIGTERM'] as const).map(
      (name) =>
        [
          name,
          () => {
            controller.abort(new Stopped(name, kept));
          },
        ] as const,
    ),
  ];
  for (const [name, listener] of listeners) {
    if (listener === stray) source.on(name, listener);
    else source.once(name, listener);
  }
  const { signal } = controller;
  try {
    const done = await work(signal);
    // A floating promise is reported only after the turn in which it failed.
    await nextTurn();
    if (signal.aborted && !(signal.reason instanceof Stopped)) signal.throwIfAborted();
    return done;
  } catch (error) {
    // What the work makes of having been stopped is not what happened to it.
    signal.throwIfAborted();
    throw error;
  } finally {
    for (const [name, listener] of listeners) source.off(name, listener);
  }
}
