import { constants } from 'node:os';
import { nextTurn } from './turn.ts';

/** A source of signals and uncaught errors, such as a process. */
export type Signals = Pick<NodeJS.EventEmitter, 'on' | 'once' | 'off'>;

/** Signals that end a process, by number. */
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
 * Runs work that ends early, through its signal, when the process is asked to stop or an uncaught error
 * occurs: an unhandled promise, a timer that throws. `explain` converts such an error, and `kept` says
 * which results exist when it is stopped. A second signal ends the process at once.
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
    // An unhandled promise is reported only after the turn in which it failed.
    await nextTurn();
    if (signal.aborted && !(signal.reason instanceof Stopped)) signal.throwIfAborted();
    return done;
  } catch (error) {
    // The cause of the stop takes precedence over the work's own error.
    signal.throwIfAborted();
    throw error;
  } finally {
    for (const [name, listener] of listeners) source.off(name, listener);
  }
}
