import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join, parse, resolve } from 'node:path';
import { suggest } from '../model/suggest.ts';
import { MillraceError } from '../model/errors.ts';
import { isStrategy, strategyFault, type Strategy } from '../strategy/define.ts';
import { loadModule } from './own-modules.ts';
import { OWN_STRATEGIES, PACKAGE_ROOT } from './package.ts';
import { unloadable } from './unloadable.ts';

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'];

/** A strategy and the file it was read from. */
export interface FoundStrategy {
  readonly name: string;
  readonly path: string;
}

/**
 * Strategies that need no path: those of the folder `strategies` here, then those that come with Millrace.
 */
export function listStrategies(): FoundStrategy[] {
  const found = new Map<string, FoundStrategy>();
  for (const folder of [resolve('strategies'), OWN_STRATEGIES]) {
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
  const module = await loadModule(path, (cause) => unloadable(path, cause));
  const found = module.default;
  if (isStrategy(found)) return found;
  const fault = found === undefined ? undefined : strategyFault(found);
  throw new MillraceError(
    'strategy-invalid',
    `${path} has no strategy to run. ${fault?.sentence ?? 'Let it end in "export default defineStrategy({ name, summary, parameters, run })".'}`,
    { where: path },
  );
}

/** The file of a strategy as stack traces name it. Throws `strategy-unknown`. */
export const strategyFile = (nameOrPath: string): string => realpathSync(findStrategy(nameOrPath));

/**
 * The source file of a strategy as its author wrote it: for a built one that comes with Millrace its
 * packaged source, so that the text is the same however Millrace runs.
 */
export function strategySourceFile(nameOrPath: string): string {
  const file = strategyFile(nameOrPath);
  if (!existsSync(OWN_STRATEGIES) || dirname(file) !== realpathSync(OWN_STRATEGIES)) return file;
  const source = join(PACKAGE_ROOT, 'strategies', `${parse(file).name}.ts`);
  return existsSync(source) ? source : file;
}

/** True for the path of a strategy's file, false for a name from `strategies`. */
export const isPath = (nameOrPath: string): boolean =>
  /[\\/]/.test(nameOrPath) || EXTENSIONS.includes(extname(nameOrPath));

function findStrategy(nameOrPath: string): string {
  if (isPath(nameOrPath)) {
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
