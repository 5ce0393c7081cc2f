import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { suggest } from '../model/suggest.ts';
import { MillraceError } from '../model/errors.ts';
import { isStrategy, strategyFault, type Strategy } from '../strategy/define.ts';
import { interruptible, Stopped } from './interruption.ts';
import { OWN_STRATEGIES, PACKAGE_ROOT } from './package.ts';
import { unloadable } from './unloadable.ts';

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs'];

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
  // Every module that is loaded behind the hook below is resolved the slow way; rxjs has 223.
  const { url: rxjs } = await import('./rxjs/rxjs.ts');
  const { url: operators } = await import('./rxjs/operators.ts');
  resolveOwnPackages(
    new Map([
      ['rxjs', rxjs],
      ['rxjs/operators', operators],
    ]),
  );
  const invalid = (cause: unknown): MillraceError => unloadable(path, cause);
  let module: { default?: unknown };
  try {
    let told: AbortSignal | undefined;
    module = await interruptible((signal) => load(path, (told = signal)), invalid);
    // Whoever was told to end while the last of it was loaded has to end all the same.
    told?.throwIfAborted();
  } catch (cause) {
    if (cause instanceof MillraceError || cause instanceof Stopped) throw cause;
    throw invalid(cause);
  }
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

/** Imports a file, and gives up when told to or when nothing is left that it could wait for. */
async function load(path: string, signal: AbortSignal): Promise<{ default?: unknown }> {
  const { promise: given, reject: giveUp } = Promise.withResolvers<never>();
  const waitsForNothing = (): void => {
    giveUp(new Error('an await outside its functions never ends'));
  };
  signal.addEventListener('abort', () => {
    giveUp(signal.reason as Error);
  });
  process.once('beforeExit', waitsForNothing);
  try {
    return await Promise.race([import(pathToFileURL(path).href) as Promise<object>, given]);
  } finally {
    process.off('beforeExit', waitsForNothing);
  }
}

/** Packages of which every strategy gets the copy that runs it. */
const ONE_COPY = /^(millrace|rxjs)(\/|$)/;

let resolving = false;

/**
 * Lets a strategy file anywhere import `millrace` and rxjs (always these, so that there is one of each
 * class and one clock: another copy of rxjs would run on the time of the day) and, where it has no
 * packages of its own, whatever else comes with Millrace. `checked` has what strategies get in place of a
 * module, by its name.
 */
function resolveOwnPackages(checked: ReadonlyMap<string, string>): void {
  if (resolving) return;
  resolving = true;
  registerHooks({
    resolve(specifier, context, next) {
      const importer = context.parentURL;
      try {
        if (!ONE_COPY.test(specifier)) return next(specifier, context);
      } catch (error) {
        if (!isBare(specifier)) throw error;
      }
      const instead = checked.get(specifier);
      if (instead !== undefined && context.conditions.includes('import') && !isOwn(importer)) {
        return { url: instead, shortCircuit: true };
      }
      try {
        return next(specifier, { ...context, parentURL: import.meta.url });
      } catch (error) {
        throw fromImporter(error, importer);
      }
    },
  });
}

/** True for the modules of Millrace itself, without the strategies that come with it. */
const isOwn = (importer = ''): boolean =>
  OWN_CODE.some((folder) => importer.startsWith(folder)) && !importer.startsWith(STRATEGIES);

const OWN_CODE = ['src', 'dist'].map((folder) => hrefOf(join(PACKAGE_ROOT, folder)));
const STRATEGIES = hrefOf(OWN_STRATEGIES);

function hrefOf(folder: string): string {
  return `${pathToFileURL(folder).href}/`;
}

/** Names the file that asked, not this one, which asked for it. */
function fromImporter(error: unknown, importer: string | undefined): unknown {
  if (error instanceof Error && importer?.startsWith('file:') === true) {
    const asked = fileURLToPath(importer);
    error.message = error.message.replace(fileURLToPath(import.meta.url), () => asked);
  }
  return error;
}

const isBare = (specifier: string): boolean =>
  !/^(\.{0,2}\/|[a-z]+:)/i.test(specifier) && !specifier.startsWith('#');
