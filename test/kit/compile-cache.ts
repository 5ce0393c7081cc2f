import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of compiled code, for the processes that tests start. */
    readonly compileCache: string;
  }
}

/**
 * Makes one folder of compiled code for all processes that a test run starts, so that only the first
 * of a kind strips the types of the sources and compiles them. Returns what removes the folder.
 */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-compiled-'));
  project.provide('compileCache', folder);
  return () => {
    // A process that a test left behind may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}
