import { generateInTurns, type GeneratorOptions } from '../../feeds/generator.ts';
import {
  DEFAULT_BARS,
  DEFAULT_MARKET,
  DEFAULT_PERPETUAL,
} from '../../feeds/synthetic/parameters.ts';
import { SAMPLE } from '../../feeds/synthetic/sample.ts';
import { MillraceError } from '../../model/errors.ts';
import type { InstrumentTerms } from '../../model/instrument.ts';
import { periodOf, type PeriodName } from '../../model/period.ts';
import { isoTime, parseIsoTime, parseSpanUs } from '../../platform/time.ts';
import { suggest } from '../../model/suggest.ts';
import {
  requireReplaceable,
  keyValues,
  requirePath,
  wholeNumber,
  usageError,
} from '../arguments.ts';
import { withBar } from '../bar.ts';
import { scalar } from '../scalar.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of `millrace feed generate`. */
export interface GenerateFlags extends Partial<Omit<InstrumentTerms, 'type'>> {
  readonly out: string;
  readonly seed: string;
  readonly start: string;
  readonly duration?: string;
  readonly bars?: string;
  readonly perpetual?: true;
  readonly period: PeriodName;
  readonly set?: readonly string[];
  readonly force?: true;
  readonly json?: true;
}

/** Generates a market from a seed and writes it as a recording. */
export async function generate(flags: GenerateFlags, terminal: Terminal): Promise<void> {
  const path = requireReplaceable(requirePath(flags.out, '--out'), flags.force === true);
  const options = optionsOf(flags);
  const summary = await withBar(terminal, 'generating', (signal, update) =>
    generateInTurns(path, options, signal, update),
  );
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
}

function optionsOf(flags: GenerateFlags): GeneratorOptions {
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
    ...(flags.perpetual === true ? { type: 'futures', contractType: 'perpetual' } : {}),
  };
  const startAt = parseIsoTime(flags.start);
  if (startAt === undefined) {
    throw usageError('--start', `a time such as 2024-03-04T06:30:00Z, not "${flags.start}"`);
  }
  const base = { seed: wholeNumber(flags.seed, '--seed'), instrument, startAt };
  if (flags.bars !== undefined) {
    if (flags.perpetual === true) {
      throw new MillraceError(
        'usage',
        '--perpetual is of an order book with trades, not of --bars.',
      );
    }
    const count = wholeNumber(flags.bars, '--bars');
    if (count < 1) throw usageError('--bars', `a number of candles above 0, not "${flags.bars}"`);
    return { ...base, count, period: periodOf(flags.period), bars: shape(flags.set, DEFAULT_BARS) };
  }
  const durationUs = parseSpanUs(flags.duration ?? '8h');
  if (durationUs === undefined || durationUs === 0) {
    throw usageError('--duration', `a span such as 30m, 8h or 2d, not "${flags.duration ?? ''}"`);
  }
  if (flags.perpetual !== true) {
    return { ...base, durationUs, market: shape(flags.set, DEFAULT_MARKET) };
  }
  const both = shape(flags.set, { ...DEFAULT_MARKET, ...DEFAULT_PERPETUAL });
  const isBeside = (name: string): boolean => Object.hasOwn(DEFAULT_PERPETUAL, name);
  const parts = Object.entries(both);
  return {
    ...base,
    durationUs,
    market: Object.fromEntries(parts.filter(([name]) => !isBeside(name))),
    perpetual: Object.fromEntries(parts.filter(([name]) => isBeside(name))),
  };
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
    const defaults: unknown = known[name as keyof P];
    const value = typeof defaults === 'string' ? text : scalar(text);
    if (typeof value !== typeof defaults) {
      throw new MillraceError('usage', `--set ${name} takes a ${typeof defaults}, not "${text}".`, {
        field: name,
      });
    }
    read[name] = value;
  }
  return read as Partial<P>;
}
