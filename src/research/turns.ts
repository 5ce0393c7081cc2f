/** The last requested run; RxJS has one clock per thread, so runs follow each other. */
let last: Promise<unknown> = Promise.resolve();

/** Runs work after all earlier requests have ended. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work, work);
  last = done.catch(() => undefined);
  return done;
}
