import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../kit/recordings.ts';
import { Companion } from './companion.ts';
import { argumentsOf, blocks, lines } from './pages.ts';

const PAGE = 'docs/margin-and-futures.md';
const BARS = resolve('../shared/data/btc-perp-20211231-20220201_1m.csv.gz');
const isThere = existsSync(BARS);
if (!isThere) process.stdout.write(`skipped: commands on bars, as there is no ${BARS}\n`);

/** Instead of two days, which take a minute to generate and replay. */
const DURATION = '2h';

/** Commands of the page that need no venue and no bot. */
const commands = lines(PAGE).flatMap((line) => {
  const args = argumentsOf(line) ?? [];
  return /^(?:feed|backtest)$/.test(args[0] ?? '') ? [args] : [];
});

test(`the backtests of ${PAGE} run when pasted, and each of them trades on margin`, async () => {
  const work = temporaryFolder();
  cpSync('config', join(work, 'config'), { recursive: true });
  mkdirSync(join(work, 'strategies'));
  writeFileSync(join(work, 'strategies', 'both-ways.ts'), blocks(PAGE, 'ts')[0] ?? '');
  if (isThere) symlinkSync(BARS, join(work, 'bars.csv.gz'));
  const companion = new Companion(work);
  onTestFinished(() => companion.close());

  const traded: string[] = [];
  for (const args of commands) {
    const command = args.join(' ');
    if (!isThere && /\bbars\b/.test(command)) continue;
    const shorter = args.map((arg) => (arg === '2d' ? DURATION : arg));
    const { code, err } = await companion.run(shorter);
    expect({ command, code, err }).toEqual({ command, code: 0, err: '' });
    if (args[0] === 'feed') continue;
    const [newest] = readdirSync(join(work, 'runs')).filter((name) => !traded.includes(name));
    traded.push(newest);
    const result = JSON.parse(readFileSync(join(work, 'runs', newest, 'result.json'), 'utf8')) as {
      readonly orders: { readonly rejected: number; readonly rejectedSettings?: number };
      readonly fills: { readonly rows: readonly { readonly margin?: string }[] };
    };
    expect(result.orders, command).toMatchObject({ rejected: 0, refused: 0 });
    expect(
      result.fills.rows.filter(({ margin }) => margin !== undefined),
      command,
    ).not.toEqual([]);
  }
  expect(traded.map((name) => name.replace(/-[0-9a-f]+$/, ''))).toEqual([
    ...['funding-carry', 'breakout-bracket', 'pairs'],
    ...(isThere ? ['funding-carry'] : []),
    'both-ways',
  ]);
}, 240_000);
