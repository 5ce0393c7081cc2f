import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { PACKAGE_ROOT } from '../../modules/package.ts';
import { isPath, loadStrategy } from '../../modules/strategy-files.ts';
import { parametersFromText } from '../../strategy/parameters.ts';
import { keyValues, requirePath } from '../arguments.ts';
import { readBotConfig } from '../bot-config.ts';
import { botConfigText } from '../project/bot-config-text.ts';
import { FileSet, refuseExisting } from '../project/file-set.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of `millrace init`. */
export interface InitFlags {
  readonly set?: readonly string[];
  readonly url?: string;
  readonly out: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/**
 * Writes the configuration of a paper bot that runs a strategy, by the parameters of its schema. Throws
 * `strategy-unknown`, `strategy-invalid`, `parameter-invalid`, `config-invalid`, `file-exists` and
 * `file-unwritable`, and then leaves nothing.
 */
export async function init(
  named: string,
  { set, url, out: given, dryRun, json }: InitFlags,
  { out, env }: Terminal,
): Promise<void> {
  const path = requirePath(given, '--out');
  const folder = dirname(resolve(path));
  const from = (target: string): string => relative(folder, target).replaceAll('\\', '/');
  const strategy = await loadStrategy(named);
  const text = botConfigText(strategy, {
    name:
      basename(resolve())
        .replaceAll(/[^A-Za-z0-9_-]/g, '-')
        .slice(0, 32) || 'bot',
    strategy: isPath(named) ? pathFrom(from(resolve(named))) : named,
    parameters: parametersFromText(strategy.parameters, keyValues(set ?? [], '--set')),
    schema: from(join(packageHere(), 'config', 'schema', 'bot.json')),
    data: from(resolve('runs', basename(path).replace(/\.ya?ml$/, ''))),
    ...(url === undefined ? {} : { url }),
  });
  if (dryRun === true) {
    out.write(json === true ? `${JSON.stringify({ planned: [path] })}\n` : text);
    return;
  }
  refuseExisting([path]);
  const made = new FileSet();
  try {
    made.write({ path, content: text });
    // A file that `run` would reject is removed.
    await readBotConfig(path, env);
  } catch (error) {
    made.undo();
    throw error;
  }
  const shown = path === join('config', 'bot.yaml') ? '' : ` ${path}`;
  out.write(
    json === true
      ? `${JSON.stringify({ created: [path] })}\n`
      : `created ${path}\n\nNext, with \`millrace venue\` in another terminal:\n\n  millrace doctor${shown}\n  millrace run${shown}\n`,
  );
}

/** Millrace as the project depends on it, so that the path is the same on another machine. */
function packageHere(): string {
  const installed = resolve('node_modules', 'millrace');
  return existsSync(installed) ? installed : PACKAGE_ROOT;
}

/** A path that cannot be read as a name. */
const pathFrom = (path: string): string => (path.startsWith('.') ? path : `./${path}`);
