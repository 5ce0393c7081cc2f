import { existsSync, readdirSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { suggest } from '../config/suggest.ts';
import { MillraceError } from '../model/errors.ts';
import type { Strategy } from '../strategy/define.ts';

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'];

/** The folder of the strategies that come with Millrace, as source or as built. */
const BUNDLED = fileURLToPath(new URL('../../strategies/', import.meta.url));

/** A strategy and the file it was read from. */
export interface FoundStrategy {
  readonly name: string;
  readonly path: string;
}

/**
 * The strategies that can be named without a path: those of the folder `strategies` here, then
 * those that come with Millrace.
 */
export function listStrategies(): FoundStrategy[] {
  const found = new Map<string, FoundStrategy>();
  for (const folder of [resolve('strategies'), BUNDLED]) {
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder).sort()) {
      const extension = extname(file);
      if (!EXTENSIONS.includes(extension) || file.includes('.d.')) continue;
      const name = file.slice(0, -extension.length);
      if (!found.has(name)) found.set(name, { name, path: join(folder, file) });
    }
  }
  return [...found.values()];
}

/**
 * Loads a strategy by its name or by the path of its file.
 * Throws `strategy-unknown` or `strategy-invalid`.
 */
export async function loadStrategy(nameOrPath: string): Promise<Strategy> {
  const path = findStrategy(nameOrPath);
  resolveOwnPackages();
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MillraceError('strategy-invalid', `${path} cannot be loaded: ${reason}`, {
      where: path,
      cause,
    });
  }
  if (!isStrategy(module.default)) {
    throw new MillraceError(
      'strategy-invalid',
      `${path} has no strategy to run. Let it end in "export default defineStrategy({ name, summary, parameters, run })".`,
      { where: path },
    );
  }
  return module.default;
}

function findStrategy(nameOrPath: string): string {
  const asPath = /[\\/]/.test(nameOrPath) || EXTENSIONS.includes(extname(nameOrPath));
  if (asPath) {
    const path = resolve(nameOrPath);
    if (existsSync(path) && statSync(path).isFile()) return path;
    throw new MillraceError('strategy-unknown', `There is no strategy file ${nameOrPath}.`);
  }
  const known = listStrategies();
  const found = known.find(({ name }) => name === nameOrPath);
  if (found !== undefined) return found.path;
  const names = known.map(({ name }) => name);
  const near = suggest(nameOrPath, names);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new MillraceError(
    'strategy-unknown',
    `There is no strategy "${nameOrPath}".${hint} Known: ${names.join(', ')}; or give the path of a file.`,
  );
}

const isStrategy = (value: unknown): value is Strategy =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Strategy>).run === 'function' &&
  typeof (value as Partial<Strategy>).name === 'string' &&
  typeof (value as Partial<Strategy>).parameters === 'object';

let resolving = false;

/**
 * Lets a strategy file anywhere import `millrace` (always this one, so that there is one of each
 * class) and, where it has no packages of its own, rxjs and whatever else comes with Millrace.
 */
function resolveOwnPackages(): void {
  if (resolving) return;
  resolving = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'millrace' || specifier.startsWith('millrace/')) {
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
      try {
        return next(specifier, context);
      } catch (error) {
        if (!isBare(specifier)) throw error;
        return next(specifier, { ...context, parentURL: import.meta.url });
      }
    },
  });
}

const isBare = (specifier: string): boolean =>
  !/^(\.{0,2}\/|[a-z]+:)/i.test(specifier) && !specifier.startsWith('#');
