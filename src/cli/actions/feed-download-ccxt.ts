import { downloadCandles, type CandleDownload } from '../../gateways/ccxt/candle-download.ts';
import { periodOf } from '../../model/period.ts';
import { systemRandom } from '../../platform/system-random.ts';
import { SystemScheduler } from '../../platform/system-scheduler.ts';
import { isoTime, micros, US_PER_DAY } from '../../platform/time.ts';
import { parseDay, jsonObject, requirePath, usageError } from '../arguments.ts';
import { withBar } from '../bar.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { describe, importInto } from './feed-import.ts';

/** Flags of `millrace feed download ccxt`. */
export interface CcxtDownloadFlags {
  readonly period: string;
  readonly from: string;
  readonly till?: string;
  readonly cache: string;
  readonly ccxtConfig: string;
  readonly import?: true;
  readonly out: string;
  readonly name?: string;
  readonly force?: true;
  readonly json?: true;
}

/** Downloads candles of an exchange of ccxt, and makes a recording of them if requested. */
export async function downloadFromCcxt(
  exchange: string,
  symbol: string,
  flags: CcxtDownloadFlags,
  terminal: Terminal,
): Promise<void> {
  const scheduler = new SystemScheduler();
  const from = parseDay(flags.from, '--from');
  const tomorrow = micros((Math.floor(scheduler.now() / US_PER_DAY) + 1) * US_PER_DAY);
  const till = flags.till === undefined ? tomorrow : parseDay(flags.till, '--till');
  if (till <= from) throw usageError('--till', 'a day later than that of --from');
  const order = { symbol, period: periodOf(flags.period), from, till };
  const config = jsonObject(flags.ccxtConfig, '--ccxt-config');
  const folder = requirePath(flags.cache, '--cache');
  const found = await withBar(
    terminal,
    'downloading',
    (signal, onProgress) =>
      downloadCandles({ id: exchange, sandbox: false, config }, order, {
        ...{ folder, scheduler, random: systemRandom(), signal, onProgress },
        warn: ({ message }) => void terminal.err.write(`warning: ${message}\n`),
      }),
    { kept: 'what was fetched is in the cache, and the next run goes on with it' },
  );
  await say(found, order.period, flags, terminal);
}

async function say(
  { instrument, ...found }: CandleDownload,
  period: ReturnType<typeof periodOf>,
  flags: CcxtDownloadFlags,
  terminal: Terminal,
): Promise<void> {
  const { type, contractSize: _, settlement: __, ...terms } = instrument.terms;
  const { symbol, baseCurrency, quoteCurrency, tickSize, quantityIncrement } = terms;
  const { takeRate, makeRate, feeCurrency, minNotional } = terms;
  const made =
    flags.import === true
      ? await importInto(
          found.files,
          {
            ...{ symbol, type, baseCurrency, quoteCurrency, tickSize, quantityIncrement },
            ...{ takeRate, makeRate, feeCurrency, minNotional },
            ...{ out: flags.out, name: flags.name, force: flags.force },
            ...{ format: 'candles-json', period, timeUnit: 'ms' },
          },
          terminal,
        )
      : undefined;
  if (flags.json === true) {
    const { path: recording, report } = made ?? {};
    const times = report && { firstAt: isoTime(report.firstAt), lastAt: isoTime(report.lastAt) };
    const imported = made === undefined ? {} : { recording, import: { ...report, ...times } };
    terminal.out.write(`${JSON.stringify({ ...found, ...imported })}\n`);
    return;
  }
  const rows = [
    ['downloaded', String(found.downloaded)],
    ['in the cache', String(found.cached)],
    ...found.missing.map((span, index) => [index === 0 ? 'missing' : '', span]),
  ];
  const rest = made === undefined ? found.files : [describe(made.report), '', made.path];
  terminal.out.write(`${[table(rows), '', ...rest].join('\n')}\n`);
}
