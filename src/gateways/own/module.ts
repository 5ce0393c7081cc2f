import { MillraceError } from '../../model/errors.ts';
import { sanitize } from '../../model/plain-words.ts';
import type { Random } from '../checked.ts';
import type { Scheduler } from '../../platform/scheduler.ts';

/** Options of a user's module that makes something for Millrace. */
export interface ModuleOptions {
  /** The configuration's `settings`, unchanged; the module checks them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Secrets that the configuration names, by name; no log holds one. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The only clock and timers to use. */
  readonly scheduler: Scheduler;
  /** The source of jitter. */
  readonly random: Random;
}

/** A configured module with its options. */
export interface OwnModule<F> extends Pick<ModuleOptions, 'settings' | 'secrets'> {
  /** Its file. */
  readonly path: string;
  /** Its default export. */
  readonly factory: F;
}

type Made = Readonly<Record<string, unknown>>;

/**
 * Makes an object by a module's function. Throws `config-invalid`, with the path of the module, if it
 * throws or makes no object; a `MillraceError` of its own is passed on.
 */
export async function madeBy<O extends ModuleOptions>(
  { path, factory }: OwnModule<(options: O) => unknown>,
  options: O,
  what: string,
): Promise<Made> {
  let made: unknown;
  try {
    made = await factory({ ...options, settings: structuredClone(options.settings) });
  } catch (cause) {
    if (cause instanceof MillraceError && cause.code !== 'internal') throw cause;
    const why = sanitize(cause instanceof Error ? cause.message : String(cause));
    throw unmade(path, `makes no ${what}: ${why}`, cause);
  }
  if (typeof made === 'object' && made !== null) return made as Made;
  throw unmade(path, `makes ${made === null ? 'null' : typeof made} instead of a ${what}`);
}

/** Throws `config-invalid` if an object lacks one of its methods; `close` is optional. */
export function checkMethods(
  path: string,
  made: Made,
  what: string,
  methods: readonly string[],
): void {
  const missing = methods.filter((name) => typeof made[name] !== 'function');
  if (missing.length > 0) {
    throw unmade(path, `makes a ${what} without ${missing.join(', ')}; it has ${methods.join(', ')}`); // prettier-ignore
  }
  if (made.close !== undefined && typeof made.close !== 'function') {
    throw unmade(path, `makes a ${what} whose close is no function`);
  }
}

/** The error of a module that makes something else. */
export const unmade = (path: string, what: string, cause?: unknown): MillraceError =>
  new MillraceError('config-invalid', `The module ${path} ${what}.`, { where: path, cause });
