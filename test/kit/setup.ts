import fc from 'fast-check';
import { inject } from 'vitest';
import { seed } from './size.ts';

// A test run tries the same each time; `npm run test:full` and MILLRACE_SEED try something new.
const isFull = process.env['MILLRACE_SIZE'] === 'full';
if (!isFull || process.env['MILLRACE_SEED'] !== undefined) fc.configureGlobal({ seed: seed(1) });

// Vitest turns the cache off where it measures coverage. It measures its own workers alone, so that
// the processes which tests start may have it; a worker reads these only before it gets here.
process.env['NODE_COMPILE_CACHE'] = inject('compileCache');
delete process.env['NODE_DISABLE_COMPILE_CACHE'];
