import { existsSync, readFileSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { MillraceError } from '../../model/errors.ts';
import { PACKAGE_ROOT, version } from '../../modules/package.ts';
import { FileSet, refuseExisting, type NewFile } from '../project/file-set.ts';
import { checkName } from '../project/names.ts';
import { namesOf, templateFiles, type Part } from '../project/templates.ts';
import type { Terminal } from '../terminal.ts';

export type NewKind = Part | 'project';

/** Flags of `millrace new`. */
export interface NewFlags {
  readonly millrace?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** The strategy that a project begins with. */
const STRATEGY = 'trend';
/** Its recording: the sample that comes with Millrace. */
const RECORDING = join('recordings', 'BTCUSDT.arrow');
const BOT = join('config', 'bot.yaml');

/**
 * Creates a project, or adds a part to that of the current folder. Throws `usage` for a bad name,
 * `project-missing` outside a project, `file-exists` and `file-unwritable`; on an error no file is left.
 */
export async function create(
  kind: NewKind,
  name: string,
  flags: NewFlags,
  { out }: Terminal,
): Promise<void> {
  const files = kind === 'project' ? projectFiles(name, flags) : partFiles(kind, name);
  const paths = [
    ...files.map(({ path }) => path),
    ...(kind === 'project' ? [join(name, BOT)] : []),
  ];
  refuseExisting(paths);
  if (flags.dryRun !== true) await write(kind, name, files);
  if (flags.json === true) {
    out.write(`${JSON.stringify({ [flags.dryRun === true ? 'planned' : 'created']: paths })}\n`);
    return;
  }
  const verb = flags.dryRun === true ? 'would create' : 'created';
  out.write(paths.map((path) => `${verb} ${path}\n`).join(''));
  if (flags.dryRun !== true) out.write(`\n${nextSteps(kind, name)}`);
}

/** Writes all files or none. */
async function write(kind: NewKind, name: string, files: readonly NewFile[]): Promise<void> {
  const made = new FileSet();
  try {
    for (const file of files) made.write(file);
    if (kind !== 'project') return;
    // The parameters of the bot are those of the strategy, which can be loaded only now.
    const [{ loadStrategy }, { botConfigText }] = await Promise.all([
      import('../../modules/strategy-files.ts'),
      import('../project/bot-config-text.ts'),
    ]);
    const loaded = await loadStrategy(resolve(name, 'strategies', `${STRATEGY}.ts`));
    const content = botConfigText(loaded, {
      strategy: STRATEGY,
      name: projectName(name),
      schema: '../node_modules/millrace/config/schema/bot.json',
      data: '../runs/bot',
    });
    made.write({ path: join(name, BOT), content });
  } catch (error) {
    made.undo();
    throw error;
  }
}

/** A project has the name of its folder; `.` is the current folder. */
function projectName(folder: string): string {
  const name = folder === '.' ? basename(resolve()) : folder;
  checkName(name, 'project');
  return name;
}

function projectFiles(folder: string, { millrace }: NewFlags): readonly NewFile[] {
  const names = { 'my-project': projectName(folder), ...namesOf('strategy', STRATEGY) };
  const files = [...templateFiles('project', names), ...templateFiles('strategy', names)];
  return [
    ...files.map((file) => ({
      path: join(folder, file.path),
      content:
        file.path === 'package.json' ? manifest(file.content, folder, millrace) : file.content,
    })),
    {
      path: join(folder, RECORDING),
      content: readFileSync(join(PACKAGE_ROOT, 'config', 'sample', 'BTCUSDT.arrow')),
    },
  ];
}

/** The manifest of a project, which depends on the Millrace that made it unless another is given. */
function manifest(text: string, folder: string, given: string | undefined): string {
  const parsed = JSON.parse(text) as { dependencies: Record<string, string> };
  parsed.dependencies['millrace'] = given === undefined ? version() : packageSpec(given, folder);
  return `${JSON.stringify(parsed, null, 2)}\n`;
}

/** A version or a tag as it is; the path of a package as npm reads it from the folder of the project. */
function packageSpec(given: string, folder: string): string {
  if (!existsSync(given)) return given;
  const path = isAbsolute(given) ? given : relative(resolve(folder), resolve(given));
  return `file:${path.replaceAll('\\', '/')}`;
}

function partFiles(part: Part, name: string): readonly NewFile[] {
  checkName(name, part);
  if (!existsSync('package.json')) {
    throw new MillraceError(
      'project-missing',
      `There is no package.json in ${process.cwd()}. Go to the folder of your project, or create one: millrace new project my-bot`,
      { where: process.cwd() },
    );
  }
  return templateFiles(part, namesOf(part, name));
}

function nextSteps(kind: NewKind, name: string): string {
  const steps: Readonly<Record<NewKind, readonly string[]>> = {
    project: [
      ...(name === '.' ? [] : [`cd ${name}`]),
      'npm install',
      'npm test',
      'npm run backtest',
      '',
      'A paper bot, with `npm run venue` in another terminal:',
      '',
      'npm run doctor',
      'npm start',
    ],
    strategy: [`npm test`, `npx millrace backtest --strategy ${name} --watch`],
    indicator: ['npm test'],
    importer: [
      'npm test',
      `node importers/${name}.ts recordings/SYMBOL.arrow FILE`,
      `npx millrace backtest --strategy ${STRATEGY} --recording recordings/SYMBOL.arrow`,
    ],
  };
  const lines = steps[kind].map((line) =>
    /^(?:[a-z]|$)/.test(line) ? `  ${line}`.trimEnd() : line,
  );
  return `Next:\n\n${lines.join('\n')}\n`;
}
