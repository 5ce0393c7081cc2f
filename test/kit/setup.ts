import fc from 'fast-check';
import { seed } from './size.ts';

// A test run tries the same each time; `npm run test:full` and MILLRACE_SEED try something new.
const isFull = process.env['MILLRACE_SIZE'] === 'full';
if (!isFull || process.env['MILLRACE_SEED'] !== undefined) fc.configureGlobal({ seed: seed(1) });
