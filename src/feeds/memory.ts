import { isMarkedAsUntransferable } from 'node:worker_threads';

/**
 * Returns the memory of a buffer back at once. The collector would only come for it when much more has
 * piled up, and the longer the recording the more would have.
 */
export function release(bytes: Buffer<ArrayBuffer>): void {
  // Small buffers are cut out of a pool that others use, and that is marked so.
  if (!isMarkedAsUntransferable(bytes.buffer)) bytes.buffer.transfer(0);
}
