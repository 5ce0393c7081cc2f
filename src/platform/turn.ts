/**
 * Ends the present turn of the event loop: whatever waits there (signals, sockets, timers) has its
 * turn before the promise is kept. A long computation calls it now and then to stay interruptible;
 * no time passes by it that anybody could count on.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Runs a task when the present turn of the event loop ends: what waits in it comes first. */
export const afterTurn = (task: () => void): void => {
  setImmediate(task);
};

/** Runs a task as soon as the code that runs now has come to its end, before any socket or timer. */
export const afterThis = (task: () => void): void => {
  queueMicrotask(task);
};
