import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath, exit, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FIRST_EVENT = fileURLToPath(new URL('./start/first-event.ts', import.meta.url));

const COMMANDS = {
  '--help': ['--help'],
  strategies: ['strategies'],
  'backtest, to its first event': ['backtest', '--strategy', FIRST_EVENT],
} as const;

/** What a process took until its end. */
interface Usage {
  /** Processor time of the process in seconds: waiting, and others on the machine, do not count. */
  readonly seconds: number;
  readonly peakBytes: number;
}

/** What a command takes to start. */
export interface StartFigures extends Usage {
  readonly command: string;
  readonly from: 'sources' | 'package';
  /** The same where nothing is in the compile cache yet. */
  readonly coldSeconds: number;
}

/** Has a process write what it took to its fourth stream; it loads nothing for that. */
const EMIT = `data:text/javascript,${encodeURIComponent(`
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const usage = { seconds: (userCPUTime + systemCPUTime) / 1e6, peakBytes: maxRSS * 1024 };
    process.getBuiltinModule('node:fs').writeSync(3, JSON.stringify(usage));
  });
`)}`;

const RUNS = 10;

/**
 * Measures the processor time and the memory that commands take to start, from the sources, and from
 * the package where it is built: the least of some runs, and of the first one, with no cache.
 */
export async function startBench(options: readonly string[]): Promise<void> {
  const { runs, json } = read(options);
  const figures: StartFigures[] = [];
  const isBuilt = existsSync(join(ROOT, 'dist', 'src', 'cli', 'main.js'));
  if (!isBuilt) stderr.write('The package is not built; npm run build makes it.\n');
  for (const from of isBuilt ? (['sources', 'package'] as const) : (['sources'] as const)) {
    for (const [command, args] of Object.entries(COMMANDS)) {
      const found = measure(command, from, args, runs);
      figures.push(found);
      stdout.write(`${line(found)}\n`);
    }
  }
  if (json) stdout.write(`${JSON.stringify({ bench: 'start', runs, figures })}\n`);
}

function read(options: readonly string[]): { runs: number; json: boolean } {
  const { values } = parseArgs({
    args: [...options],
    options: { runs: { type: 'string' }, json: { type: 'boolean' } },
    strict: true,
  });
  const runs = values.runs === undefined ? RUNS : Number(values.runs);
  if (!Number.isSafeInteger(runs) || runs < 1) {
    stderr.write(`--runs is ${String(values.runs)}; give a whole number of at least 1.\n`);
    exit(2);
  }
  return { runs, json: values.json === true };
}

function measure(
  command: string,
  from: StartFigures['from'],
  args: readonly string[],
  runs: number,
): StartFigures {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'));
  try {
    const cold = usageOf(from, args, folder);
    const warm = Array.from({ length: runs }, () => usageOf(from, args, folder));
    return {
      command,
      from,
      coldSeconds: cold.seconds,
      seconds: Math.min(...warm.map(({ seconds }) => seconds)),
      peakBytes: Math.min(...warm.map(({ peakBytes }) => peakBytes)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command once, with the compile cache and its results in a folder. */
function usageOf(from: StartFigures['from'], args: readonly string[], folder: string): Usage {
  const condition = from === 'sources' ? ['--conditions=millrace-source'] : [];
  const out = args[0] === 'backtest' ? ['--out', folder] : [];
  const { NODE_COMPILE_CACHE: _, ...others } = env;
  const { output } = spawnSync(
    execPath,
    [...condition, `--import=${EMIT}`, join(ROOT, 'bin/millrace.js'), ...args, ...out],
    {
      cwd: ROOT,
      env: { ...others, TMPDIR: folder },
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    },
  );
  const [, , problem, usage] = output;
  if (problem !== '') throw new Error(`millrace ${args.join(' ')} said: ${problem ?? ''}`);
  return JSON.parse(usage ?? '') as Usage;
}

const line = ({ command, from, seconds, coldSeconds, peakBytes }: StartFigures): string =>
  `${command}, from the ${from}: ${seconds.toFixed(3)} s of processor time (${coldSeconds.toFixed(3)} s with nothing cached), ${(peakBytes / 2 ** 20).toFixed(0)} MB`;
