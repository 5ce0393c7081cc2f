import { realpathSync } from 'node:fs';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import { readBacktestConfig } from '../../backtest/config/config.ts';
import { excerpt } from '../../config/excerpt.ts';
import { MillraceError } from '../../model/errors.ts';
import { PACKAGE_ROOT } from '../../modules/package.ts';

/** The folder of the paths that callers may name; links are followed before a path is checked. */
export class Bounds {
  readonly root: string;

  /** Throws `usage` if there is no such folder. */
  constructor(root: string) {
    try {
      this.root = realpathSync(root);
    } catch (cause) {
      throw new MillraceError(
        'usage',
        `There is no folder ${root}; --root takes one that exists.`,
        {
          field: '--root',
          cause,
        },
      );
    }
  }

  /** Returns the absolute path. Throws `path-outside`. */
  within(path: string, field: string): string {
    const found = real(resolve(this.root, path));
    if (isIn(found, this.root)) return found;
    throw new MillraceError(
      'path-outside',
      `${excerpt(path)} leads out of ${this.root}, the folder that this server was started for. Give a path inside, or start it with another --root.`,
      { field },
    );
  }

  /** A strategy by its name, or by a path inside. */
  strategy(named: string, field = 'strategy'): string {
    const isPath = /[\\/]/.test(named) || extname(named) !== '';
    return isPath ? this.within(named, field) : named;
  }

  /**
   * A backtest configuration that names nothing outside either; files that come with Millrace are allowed.
   */
  backtestConfig(path: string): string {
    const found = this.within(path, 'config');
    const { strategy, recordings } = readBacktestConfig(found);
    for (const recording of recordings) this.#readable(recording, 'config.recordings');
    if (/[\\/]/.test(strategy)) this.#readable(strategy, 'config.strategy');
    return found;
  }

  #readable(path: string, field: string): void {
    if (!isIn(real(path), realpathSync(PACKAGE_ROOT))) this.within(path, field);
  }
}

const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** The path behind all links, as far as it exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(real(above), basename(path));
  }
}
