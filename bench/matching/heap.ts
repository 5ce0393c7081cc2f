/**
 * Collects the garbage that was made so far, where Node was started with `--expose-gc`, so that what a
 * run is measured by is its own and not that of the file that was drawn or read before it.
 */
export function sweepHeap(): void {
  globalThis.gc?.();
}
