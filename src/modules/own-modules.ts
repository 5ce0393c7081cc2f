import { existsSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MillraceError } from '../model/errors.ts';
import { interruptible, Stopped } from '../platform/interruption.ts';
import { OWN_STRATEGIES, PACKAGE_ROOT } from './package.ts';

/**
 * Imports a user's file: a strategy, or a configured module. It shares the running copies of `millrace` and
 * rxjs. Throws the error that `invalid` makes of a failure.
 */
export async function loadModule(
  path: string,
  invalid: (cause: unknown) => MillraceError,
): Promise<{ readonly default?: unknown }> {
  // Every module loaded behind the hook below is resolved the slow way; rxjs has 223.
  const { url: rxjs } = await import('./rxjs/rxjs.ts');
  const { url: operators } = await import('./rxjs/operators.ts');
  resolveOwnPackages(
    new Map([
      ['rxjs', rxjs],
      ['rxjs/operators', operators],
    ]),
  );
  try {
    let reported: AbortSignal | undefined;
    ask(pathToFileURL(path).href);
    const module = await interruptible((signal) => load(path, (reported = signal)), invalid);
    // An abort during the last load still counts.
    reported?.throwIfAborted();
    return module;
  } catch (cause) {
    if (cause instanceof MillraceError || cause instanceof Stopped) throw cause;
    throw invalid(cause);
  }
}

/** Imports a file, and gives up when aborted or when nothing is left that it could wait for. */
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

/** Packages of which every such file gets the copy that runs it. */
const ONE_COPY = /^(millrace|rxjs)(\/|$)/;

let resolving = false;

/** Modules of users, and all that they import. */
const asked = new Set<string>();
let listener: (path: string) => void = () => undefined;

/** Reports each file of a user that is loaded from now on, packages apart, and those looked for in vain. */
export function onUserFile(report: (path: string) => void): void {
  listener = report;
}

function ask(url: string): void {
  asked.add(url);
  if (url.startsWith('file:') && !url.includes('/node_modules/')) listener(fileURLToPath(url));
}

/**
 * Lets a strategy file anywhere import `millrace` and rxjs (always these, so that there is one of each
 * class and one clock: another copy of rxjs would use the system clock) and, if it has no packages of its
 * own, the other packages of Millrace. `checked` has the replacement of a module by its name.
 */
function resolveOwnPackages(checked: ReadonlyMap<string, string>): void {
  if (resolving) return;
  resolving = true;
  registerHooks({
    resolve(specifier, context, next) {
      const importer = context.parentURL;
      try {
        if (!ONE_COPY.test(specifier)) {
          const found = next(specifier, context);
          if (importer !== undefined && asked.has(importer)) {
            refuseOtherRxjs(found.url, importer);
            ask(found.url);
          }
          return found;
        }
      } catch (error) {
        if (!isBare(specifier)) {
          if (importer !== undefined && asked.has(importer)) ask(new URL(specifier, importer).href);
          throw error;
        }
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

const RXJS = rxjsFolder(createRequire(import.meta.url).resolve('rxjs'));
/** The copy of rxjs that the files of a folder belong to, by folder. */
const copies = new Map<string, string | undefined>();

/** Throws `rxjs-foreign` if a path, or the name of another package, leads to another copy of rxjs. */
function refuseOtherRxjs(url: string, importer = ''): void {
  if (!url.startsWith('file:')) return;
  const file = fileURLToPath(url);
  const folder = dirname(file);
  if (!copies.has(folder)) copies.set(folder, rxjsFolder(file));
  const copy = copies.get(folder);
  if (copy === undefined || copy === RXJS) return;
  const where = importer.startsWith('file:') ? fileURLToPath(importer) : 'A strategy';
  throw new MillraceError(
    'rxjs-foreign',
    `${where} imports another copy of rxjs (${copy}), whose timers would not follow event time; import it as "rxjs".`,
    { where },
  );
}

/** The folder of the copy of rxjs that a file belongs to. */
function rxjsFolder(file: string): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (isRxjs(join(folder, 'package.json'))) return folder;
  }
  return undefined;
}

function isRxjs(manifest: string): boolean {
  if (!existsSync(manifest)) return false;
  try {
    return (
      (JSON.parse(readFileSync(manifest, 'utf8')) as { name?: unknown } | null)?.name === 'rxjs'
    );
  } catch {
    return false;
  }
}

/** True for modules of Millrace itself, without its example strategies. */
const isOwn = (importer = ''): boolean =>
  OWN_CODE.some((folder) => importer.startsWith(folder)) && !importer.startsWith(STRATEGIES);

const OWN_CODE = ['src', 'dist'].map((folder) => hrefOf(join(PACKAGE_ROOT, folder)));
const STRATEGIES = hrefOf(OWN_STRATEGIES);

function hrefOf(folder: string): string {
  return `${pathToFileURL(folder).href}/`;
}

/** Names the importing file instead of this one. */
function fromImporter(error: unknown, importer: string | undefined): unknown {
  if (error instanceof Error && importer?.startsWith('file:') === true) {
    const asked = fileURLToPath(importer);
    error.message = error.message.replace(fileURLToPath(import.meta.url), () => asked);
  }
  return error;
}

const isBare = (specifier: string): boolean =>
  !/^(\.{0,2}\/|[a-z]+:)/i.test(specifier) && !specifier.startsWith('#');
