import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Puts another copy of rxjs into the packages of a project: what Node loads of it. */
export function copyRxjs(project: string): string {
  const from = resolve('node_modules/rxjs');
  const to = join(project, 'node_modules', 'rxjs');
  for (const part of ['package.json', 'dist/cjs', 'operators']) {
    mkdirSync(dirname(join(to, part)), { recursive: true });
    cpSync(join(from, part), join(to, part), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
  }
  return to;
}
