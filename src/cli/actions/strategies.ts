import { MillraceError } from '../../model/errors.ts';
import type { Strategy } from '../../strategy/define.ts';
import { describeParameters } from '../../strategy/parameters.ts';
import { listStrategies, loadStrategy, type FoundStrategy } from '../../modules/strategy-files.ts';
import { table } from '../table.ts';
import { paint, type Terminal } from '../terminal.ts';

type Loaded = FoundStrategy & ({ strategy: Strategy } | { error: MillraceError });

/** Flags of `millrace strategies`. */
export interface StrategiesFlags {
  readonly json?: true;
}

/** Lists the strategies that can be run by name, or shows one with its parameters. */
export async function showStrategies(
  name: string | undefined,
  { json }: StrategiesFlags,
  { out }: Terminal,
): Promise<void> {
  if (name !== undefined) {
    const strategy = await loadStrategy(name);
    out.write(`${json === true ? JSON.stringify(plain(strategy)) : describe(strategy, out)}\n`);
    return;
  }
  const all: Loaded[] = [];
  // One at a time, so that an error names the file at fault.
  for (const found of listStrategies()) all.push(await load(found));
  out.write(json === true ? all.map(line).join('') : `${overview(all, out)}\n`);
}

/** A file that does not load must not hide the others. */
async function load(found: FoundStrategy): Promise<Loaded> {
  try {
    return { ...found, strategy: await loadStrategy(found.path) };
  } catch (error) {
    if (error instanceof MillraceError) return { ...found, error };
    throw error;
  }
}

const plain = ({ name, summary, parameters }: Strategy): object => ({
  name,
  summary,
  parameters: describeParameters(parameters),
});

const line = (loaded: Loaded): string =>
  `${JSON.stringify(
    'strategy' in loaded
      ? { ...plain(loaded.strategy), path: loaded.path }
      : { name: loaded.name, path: loaded.path, error: loaded.error.message },
  )}\n`;

const overview = (all: readonly Loaded[], out: Terminal['out']): string =>
  all.length === 0
    ? 'No strategies here. Write one into the folder "strategies".'
    : table(
        all.map((loaded) => [
          paint(out, 'bold', loaded.name),
          'strategy' in loaded ? loaded.strategy.summary : paint(out, 'red', loaded.error.message),
        ]),
      );

function describe(strategy: Strategy, out: Terminal['out']): string {
  const parameters = describeParameters(strategy.parameters).map((parameter) => [
    parameter.name,
    String(parameter.default),
    [parameter.type, parameter.range].filter((part) => part !== '').join(', '),
    parameter.description,
  ]);
  return [
    paint(out, 'bold', strategy.name),
    strategy.summary,
    '',
    table(parameters, { head: ['parameter', 'default', 'takes', 'unit or meaning'] }),
  ].join('\n');
}
