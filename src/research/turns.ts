/** The run that was asked for last; RxJS has one clock for a thread, so runs follow each other. */
let last: Promise<unknown> = Promise.resolve();

/** Does work when all that was asked for before has ended. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work, work);
  last = done.catch(() => undefined);
  return done;
}
