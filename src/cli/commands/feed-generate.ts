import { Command, Option } from 'commander';
import { generateInTurns, type GeneratorOptions } from '../../feeds/generator.ts';
import type { RecordingSummary } from '../../feeds/recording.ts';
import { DEFAULT_BARS, DEFAULT_MARKET } from '../../feeds/synthetic/parameters.ts';
import { SAMPLE } from '../../feeds/synthetic/sample.ts';
import { MillraceError } from '../../model/errors.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import { PERIODS, type Period } from '../../model/period.ts';
import { isoTime, parseIsoTime, parseSpanUs } from '../../platform/time.ts';
import { suggest } from '../../config/suggest.ts';
import { freshFile, keyValues, namedPath, scalar, wholeNumber, wrong } from '../arguments.ts';
import { internal } from '../failure.ts';
import { interruptible } from '../interruption.ts';
import { progressBar, table, type Terminal } from '../terminal.ts';

interface Flags extends Partial<Omit<InstrumentTerms, 'type'>> {
  readonly out: string;
  readonly seed: string;
  readonly start: string;
  readonly duration?: string;
  readonly bars?: string;
  readonly period: Period;
  readonly set?: readonly string[];
  readonly force?: true;
  readonly json?: true;
}

/** `millrace feed generate`: a made-up market from a seed. */
export const generateCommand = (terminal: Terminal): Command =>
  new Command('generate')
    .description('Make up a market from a seed: a book with trades, or candles.')
    .requiredOption('-o, --out <file>', 'the recording to write')
    .option('--seed <number>', 'the same seed gives the same file', String(SAMPLE.seed))
    .option('--start <time>', 'time of the first event', isoTime(SAMPLE.startAt))
    .option('--duration <span>', 'length of a book with trades (default: 8h)')
    .option('--bars <count>', 'make so many candles instead, full of exact ties')
    .addOption(
      new Option('--period <period>', 'period of the candles').choices(PERIODS).default('M1'),
    )
    .option('--symbol <symbol>', 'symbol', SAMPLE.instrument.symbol)
    .option('--base-currency <currency>', 'what is traded', SAMPLE.instrument.baseCurrency)
    .option('--quote-currency <currency>', 'what it is priced in', SAMPLE.instrument.quoteCurrency)
    .option('--tick-size <decimal>', 'step of prices', SAMPLE.instrument.tickSize)
    .option(
      '--quantity-increment <decimal>',
      'step of quantities',
      SAMPLE.instrument.quantityIncrement,
    )
    .option('--take-rate <fraction>', 'taker fee', SAMPLE.instrument.takeRate)
    .option('--make-rate <fraction>', 'maker fee', SAMPLE.instrument.makeRate)
    .option('-p, --set <parameter=value...>', 'what shapes the market, from the list below')
    .option('-f, --force', 'replace a recording of that name')
    .option('--json', 'print one JSON line')
    .addHelpText(
      'after',
      `
What shapes a book with trades:
${defaults(DEFAULT_MARKET)}
What shapes candles:
${defaults(DEFAULT_BARS)}
Example (the sample that comes with Millrace):
  millrace feed generate --seed ${SAMPLE.seed} --duration 8h --out BTCUSDT.arrow`,
    )
    .action(async (flags: Flags) => {
      const path = freshFile(namedPath(flags.out, '--out'), flags.force === true);
      const summary = await generateTo(path, optionsOf(flags), terminal);
      const { firstAt, lastAt } = summary;
      const times = { firstAt: isoTime(firstAt), lastAt: isoTime(lastAt) };
      terminal.out.write(
        flags.json === true
          ? `${JSON.stringify({ recording: path, ...summary, ...times })}\n`
          : `${table([
              ['rows', summary.rows.toLocaleString('en')],
              ['from', times.firstAt],
              ['till', times.lastAt],
            ])}\n\n${path}\n`,
      );
    });

async function generateTo(
  path: string,
  options: GeneratorOptions,
  terminal: Terminal,
): Promise<RecordingSummary> {
  const bar = progressBar(terminal, 'generating');
  try {
    return await interruptible(
      (signal) =>
        generateInTurns(path, options, signal, (share) => {
          bar.update(share);
        }),
      internal,
    );
  } finally {
    bar.end();
  }
}

const defaults = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `  ${name.padEnd(18)} ${String(value)}\n`)
    .join('');

function optionsOf(flags: Flags): GeneratorOptions {
  const symbol = flags.symbol ?? SAMPLE.instrument.symbol;
  const quoteCurrency = flags.quoteCurrency ?? SAMPLE.instrument.quoteCurrency;
  const instrument: InstrumentTerms = {
    ...SAMPLE.instrument,
    symbol,
    quoteCurrency,
    baseCurrency: flags.baseCurrency ?? SAMPLE.instrument.baseCurrency,
    tickSize: flags.tickSize ?? SAMPLE.instrument.tickSize,
    quantityIncrement: flags.quantityIncrement ?? SAMPLE.instrument.quantityIncrement,
    takeRate: flags.takeRate ?? SAMPLE.instrument.takeRate,
    makeRate: flags.makeRate ?? SAMPLE.instrument.makeRate,
    feeCurrency: quoteCurrency,
  };
  const startAt = parseIsoTime(flags.start);
  if (startAt === undefined) {
    throw wrong('--start', `a time such as 2024-03-04T06:30:00Z, not "${flags.start}"`);
  }
  const base = { seed: wholeNumber(flags.seed, '--seed'), instrument, startAt };
  if (flags.bars !== undefined) {
    const count = wholeNumber(flags.bars, '--bars');
    if (count < 1) throw wrong('--bars', `a number of candles above 0, not "${flags.bars}"`);
    return { ...base, count, period: flags.period, bars: shape(flags.set, DEFAULT_BARS) };
  }
  const durationUs = parseSpanUs(flags.duration ?? '8h');
  if (durationUs === undefined || durationUs === 0) {
    throw wrong('--duration', `a span such as 30m, 8h or 2d, not "${flags.duration ?? ''}"`);
  }
  return { ...base, durationUs, market: shape(flags.set, DEFAULT_MARKET) };
}

/** Reads what shapes the market, each value of the type that its default has. */
function shape<P extends object>(pairs: readonly string[] | undefined, known: P): Partial<P> {
  const names = Object.keys(known);
  const read: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(keyValues(pairs ?? [], '--set'))) {
    if (!names.includes(name)) {
      const near = suggest(name, names);
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
      throw new MillraceError('usage', `--set: there is no "${name}".${hint}`, { field: name });
    }
    const usual: unknown = known[name as keyof P];
    const value = typeof usual === 'string' ? text : scalar(text);
    if (typeof value !== typeof usual) {
      throw new MillraceError('usage', `--set ${name} takes a ${typeof usual}, not "${text}".`, {
        field: name,
      });
    }
    read[name] = value;
  }
  return read as Partial<P>;
}
