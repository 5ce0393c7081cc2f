/** How long V8 gets to give back what a collection has freed. */
const REST_MS = 250;

/**
 * Collects the garbage that was made so far, where Node was started with `--expose-gc`, so that what a
 * run is measured by is its own and not that of the file that was drawn or read before it. V8 gives
 * back what is free beside the run, and both wait for the same memory, so the run waits for that first.
 */
export function sweepHeap(): void {
  if (globalThis.gc === undefined) return;
  globalThis.gc();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REST_MS);
}
