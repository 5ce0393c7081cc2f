/**
 * Ends the present turn of the event loop: waiting events (signals, sockets, timers) run before the promise
 * resolves. A long computation calls it now and then to stay interruptible; it takes no time that anybody
 * could rely on.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Runs a task when the present turn of the event loop ends, after its waiting events. */
export const afterTurn = (task: () => void): void => {
  setImmediate(task);
};

/** Runs a task as soon as the present code has ended, before any socket or timer. */
export const afterThis = (task: () => void): void => {
  queueMicrotask(task);
};
