import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { MillraceError } from '../model/errors.ts';
import { PACKAGE_ROOT } from '../modules/package.ts';

/**
 * The given configuration of a command, else `config/NAME.yaml` of the current folder. A command that moves
 * money never runs an example by default. Throws `config-missing`.
 */
export function ownConfig(name: 'bot' | 'rebalancing', given: string | undefined): string {
  if (given !== undefined) return given;
  const defaults = join('config', `${name}.yaml`);
  if (existsSync(defaults)) return defaults;
  const examples = relative(process.cwd(), join(PACKAGE_ROOT, 'config'));
  throw new MillraceError(
    'config-missing',
    `There is no ${defaults} here. Give the path of a configuration, or copy the examples: cp -r ${examples} .`,
    { where: defaults },
  );
}

/** `config/NAME.yaml` of the current folder, else the packaged example: neither moves money. */
export function exampleConfig(name: 'backtest' | 'venue'): string {
  const here = join('config', `${name}.yaml`);
  return existsSync(here) ? here : join(PACKAGE_ROOT, here);
}
