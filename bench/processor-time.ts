import { readdirSync, readFileSync } from 'node:fs';

/** What a process took so far, in milliseconds of processor time. */
export interface ProcessorTime {
  /** Of its worker threads alone: what they do themselves. */
  readonly ownMs: number;
  /** Of all its threads, those of V8 that compile and collect garbage too. */
  readonly allMs: number;
}

/** Reads what Linux counts for each thread that is alive; undefined where there is no such count. */
export function processorTime(pid: number | 'self'): ProcessorTime | undefined {
  const threads = `/proc/${pid}/task`;
  let ownMs = 0;
  let allMs = 0;
  try {
    for (const thread of readdirSync(threads)) {
      const [ns = '0'] = readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ');
      const ms = Number(ns) / 1e6;
      const name = readFileSync(`${threads}/${thread}/comm`, 'utf8').trim();
      if (name === 'WorkerThread') ownMs += ms;
      allMs += ms;
    }
  } catch {
    return undefined;
  }
  return { ownMs, allMs };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, each) => sum + each, 0) / values.length;
