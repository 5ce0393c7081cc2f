import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Refuse } from './bot/strategies.ts';
import { loadModule } from '../modules/own-modules.ts';
import { unloadable } from '../modules/unloadable.ts';

/** A module that a configuration names. */
export interface NamedModule {
  /** As it is written; relative to `folder`, that of the configuration. */
  readonly path: string;
  readonly folder: string;
  /** Where it is written. */
  readonly at: readonly string[];
  /** What its default export has to be, for the error: "a function that makes a node". */
  readonly what: string;
}

/** The function that a module exports by default. Refuses (`config-invalid`) one that has none. */
export async function exportedFunction(
  { path, folder, at, what }: NamedModule,
  refuse: Refuse,
): Promise<(...given: never) => unknown> {
  const file = resolve(folder, path);
  if (!existsSync(file) || !statSync(file).isFile()) {
    return refuse(at, `there is no file ${file}; expected the path of a module, relative to this file.`); // prettier-ignore
  }
  const module = await loadModule(file, (cause) => unloadable(file, cause, 'config-invalid'));
  const { default: found } = module;
  if (typeof found === 'function') return found as (...given: never) => unknown;
  const kind = found === undefined ? 'nothing' : `a value of the type ${typeof found}`;
  return refuse(at, `${file} exports ${kind} by default; expected ${what}.`);
}
