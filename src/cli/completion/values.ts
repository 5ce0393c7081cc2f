import { existsSync, readFileSync } from 'node:fs';
import { FORMAT_NAMES, FORMATS } from '../../feeds/importers/formats.ts';
import {
  DEFAULT_BARS,
  DEFAULT_MARKET,
  DEFAULT_PERPETUAL,
} from '../../feeds/synthetic/parameters.ts';
import { exampleConfig } from '../own-config.ts';

/** A possible completion of a word. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Completions of a word: some values, and perhaps any path. */
export interface Values {
  readonly candidates: readonly Candidate[];
  readonly paths?: 'files' | 'folders' | undefined;
}

/** An option or an argument whose value is completed. */
export interface CompletedArgument {
  readonly command: string;
  /** Between the brackets of the help: `path` of `--config <path>`. */
  readonly name: string;
  /** `--config`; an argument has none. */
  readonly option: string | undefined;
  readonly choices: readonly string[];
  readonly operands: readonly string[];
  readonly given: ReadonlyMap<string, string>;
}

type Source = (asked: CompletedArgument, word: string) => Promise<Values> | Values;

const files = (): Values => ({ candidates: [], paths: 'files' });
const folders = (): Values => ({ candidates: [], paths: 'folders' });
const words = (values: readonly string[]): readonly Candidate[] =>
  values.map((value) => ({ value, description: '' }));

const strategies: Source = async () => {
  const { listStrategies } = await import('../../modules/strategy-files.ts');
  return { candidates: words(listStrategies().map(({ name }) => name)), paths: 'files' };
};

/** Strategies of a bot, by the names of its configuration. */
const strategiesOfBot: Source = async ({ given }) => ({
  candidates: words(
    Object.keys(
      (await configuration(given.get('config') ?? 'config/bot.yaml'))['strategies'] ?? {},
    ),
  ),
});

const formats: Source = async () => {
  const { LAYOUT_NAMES } = await import('../../feeds/importers/layouts.ts');
  return {
    candidates: [
      ...FORMAT_NAMES.map((value) => ({ value, description: FORMATS[value].summary })),
      ...words(LAYOUT_NAMES),
    ],
  };
};

const metrics: Source = async () => {
  const { FIGURE_NAMES } = await import('../../research/sweep/objective.ts');
  return { candidates: words(FIGURE_NAMES) };
};

/** Market parameters of `feed generate`, with their defaults. */
const marketParameters: Source = () => ({
  candidates: Object.entries({ ...DEFAULT_BARS, ...DEFAULT_MARKET, ...DEFAULT_PERPETUAL }).map(
    ([name, value]) => ({ value: `${name}=`, description: String(value) }),
  ),
});

/** Parameters of the strategy that the line or its configuration names, and values of those that have few. */
const parameters: Source = async ({ command, given, operands }, word) => {
  const [{ loadStrategy }, { choicesOf, describeParameters }] = await Promise.all([
    import('../../modules/strategy-files.ts'),
    import('../../strategy/parameters.ts'),
  ]);
  const named =
    command === 'init'
      ? operands[0]
      : (given.get('strategy') ??
        (await configuration(operands[0] ?? exampleConfig('backtest')))['strategy']);
  const { parameters: schema } = await loadStrategy(String(named));
  const described = describeParameters(schema);
  const [typed = '', value] = word.split('=');
  if (value !== undefined) {
    return { candidates: words(choicesOf(schema, typed).map((choice) => `${typed}=${choice}`)) };
  }
  return {
    candidates: described.map(({ name, type, range, description }) => ({
      value: `${name}=`,
      description: [type, range, description].filter((part) => part !== '').join(', '),
    })),
  };
};

/** By the option, else by the name in its brackets, or of the argument. Others are free text. */
export const SOURCES: Readonly<Record<string, Source | undefined>> = {
  '--strategy': strategies,
  '--format': formats,
  '--objective': metrics,
  '--millrace': files,
  'parameter=value': (asked, word) =>
    (asked.command === 'generate' ? marketParameters : parameters)(asked, word),
  'parameter=values': parameters,
  strategy: (asked, word) =>
    (['strategies', 'init'].includes(asked.command) ? strategies : strategiesOfBot)(asked, word),
  path: files,
  paths: files,
  file: files,
  files: files,
  config: files,
  part: files,
  recording: files,
  result: files,
  folder: folders,
  folders: folders,
};

/** Possible values of an option or argument. */
export async function valuesOf(asked: CompletedArgument, word: string): Promise<Values> {
  if (asked.choices.length > 0) return { candidates: words(asked.choices) };
  const source = SOURCES[asked.option ?? ''] ?? SOURCES[asked.name];
  return source === undefined ? { candidates: [] } : await source(asked, word);
}

/** A configuration as written, unchecked; an empty one if there is none. */
async function configuration(path: string): Promise<Readonly<Record<string, unknown>>> {
  if (!existsSync(path)) return {};
  const { parse } = await import('yaml');
  const parsed: unknown = parse(readFileSync(path, 'utf8'));
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}
