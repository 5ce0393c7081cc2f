import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MillraceError } from '../../model/errors.ts';

/** The configuration of the folder that a command runs in. */
export function rebalancingConfigPath(given: string | undefined): string {
  if (given !== undefined) return given;
  const usual = join('config', 'rebalancing.yaml');
  if (existsSync(usual)) return usual;
  throw new MillraceError(
    'config-missing',
    `There is no ${usual} here. Give the path of a configuration; docs/rebalancing.md shows one.`,
    { where: usual },
  );
}
