import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { partOf } from '../../feeds/writer.ts';
import type { Micros } from '../../platform/time.ts';
import { nameTime } from './rotation.ts';

/**
 * An unused path, finished or not: content, start time, and a number if another file began in the same
 * second. In a symbol such as BTC/USDT:USDT each sign becomes -.
 */
export function freePath(folder: string, what: string, at: Micros, suffix: string): string {
  const stem = `${what.replace(/[/\\:]/g, '-')}-${nameTime(at)}`;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    const path = join(folder, `${name}${suffix}`);
    if (!existsSync(path) && !existsSync(partOf(path))) return path;
  }
}
