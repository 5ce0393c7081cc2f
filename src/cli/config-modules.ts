import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { OwnModule } from '../gateways/own/module.ts';
import { secretSource } from './bot/secret.ts';
import type { SecretKeeper } from './bot/secret-keeper.ts';
import type { Refuse } from './bot/strategies.ts';
import { loadModule } from '../modules/own-modules.ts';
import { unloadable } from '../modules/unloadable.ts';

/** Schema for naming a module that makes something, such as `a node`; paths are relative to `folder`. */
export const ownModuleOf = (folder: string, what: string) =>
  z.strictObject({
    module: z
      .string()
      .min(1)
      .describe(`Path of a module whose default export makes ${what}, relative to this file.`),
    settings: z.record(z.string(), z.unknown()).default({}).describe('What the module is given.'),
    secrets: z
      .record(z.string().min(1), secretSource(folder))
      .default({})
      .describe('Secrets that it is given, each as env: NAME or file: PATH.'),
  });

/** Loads a module that a configuration names, and reads its secrets. */
export async function ownModule<F extends (...given: never) => unknown>(
  given: z.output<ReturnType<typeof ownModuleOf>>,
  { folder, at, what }: Omit<NamedModule, 'path'>,
  keep: SecretKeeper,
  refuse: Refuse,
): Promise<OwnModule<F>> {
  const { module: path, settings, secrets } = given;
  const named = { path, folder, at: [...at, 'module'], what };
  const factory = (await exportedFunction(named, refuse)) as F;
  const found = Object.entries(secrets).map(([secret, source]) => {
    return [secret, keep.find(source, [...at, 'secrets', secret])] as const;
  });
  return { path: resolve(folder, path), factory, settings, secrets: Object.fromEntries(found) };
}

/** A module that a configuration names. */
export interface NamedModule {
  /** As it is written; relative to `folder`, that of the configuration. */
  readonly path: string;
  readonly folder: string;
  /** Its path in the configuration. */
  readonly at: readonly string[];
  /** Description of its default export, for the error: "a function that makes a node". */
  readonly what: string;
}

/** The function that a module exports by default. Rejects (`config-invalid`) a module without one. */
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
