import { join } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { FORMAT_NAMES, FORMATS, type FormatName } from '../../feeds/importers/formats.ts';
import { loadFormat } from '../../feeds/importers/load.ts';
import { importFiles } from '../../feeds/importers/run.ts';
import type { ImportOptions, ImportReport } from '../../feeds/importers/contract.ts';
import { RecordingWriter } from '../../feeds/writer.ts';
import { PERIODS } from '../../model/period.ts';
import { isoTime } from '../../platform/time.ts';
import { fileName, freshFile, keyValues, namedPath } from '../arguments.ts';
import { internal } from '../failure.ts';
import { interruptible } from '../interruption.ts';
import { progressBar, table, type Terminal } from '../terminal.ts';

interface Flags extends Omit<ImportOptions, 'columns'> {
  readonly out: string;
  readonly name?: string;
  readonly column?: readonly string[];
  readonly force?: true;
  readonly json?: true;
}

/** `millrace feed import`: one recording out of files of another format. */
export const importCommand = (terminal: Terminal): Command =>
  new Command('import')
    .description('Make a recording from files of another format.')
    .addArgument(new Argument('<format>', 'what the files are').choices(FORMAT_NAMES))
    .argument('<files...>', 'the files, in order of time where the format is one session')
    .requiredOption('-o, --out <folder>', 'where the recording goes')
    .option('-n, --name <name>', 'file name of the recording without ending (default: its symbol)')
    .option('--symbol <symbol>', 'symbol, where the files do not name it')
    .option('--base-currency <currency>', 'what is traded, where the symbol does not tell')
    .option('--quote-currency <currency>', 'what it is priced in, where the symbol does not tell')
    .option('--tick-size <decimal>', 'step of prices (default: the finest seen)')
    .option('--quantity-increment <decimal>', 'step of quantities (default: the finest seen)')
    .option('--take-rate <fraction>', 'taker fee, 0.001 is 0.1 %')
    .option('--make-rate <fraction>', 'maker fee, negative for a rebate')
    .option('--fee-currency <currency>', 'what fees are paid in (default: the quote currency)')
    .addOption(new Option('--type <type>', 'kind of instrument').choices(['spot', 'futures']))
    .addOption(new Option('--period <period>', 'period of candles').choices(PERIODS))
    .addOption(
      new Option('--candle-time <end>', 'which end of its candle a time names').choices([
        'open',
        'close',
      ]),
    )
    .addOption(
      new Option('--time-unit <unit>', 'unit of numeric times').choices(['s', 'ms', 'us', 'ns']),
    )
    .option('--column <field=name...>', 'column of a field that is not found by itself')
    .option('-f, --force', 'replace a recording of that name')
    .option('--json', 'print one JSON line')
    .addHelpText('after', `\nFormats:\n${formats()}`)
    .action(async (format: FormatName, files: string[], flags: Flags) => {
      const { path, report } = await importInto(format, files, flags, terminal);
      terminal.out.write(
        flags.json === true
          ? `${JSON.stringify({ recording: path, ...report, firstAt: isoTime(report.firstAt), lastAt: isoTime(report.lastAt) })}\n`
          : `${describe(report)}\n\n${path}\n`,
      );
    });

const formats = (): string =>
  FORMAT_NAMES.map((name) => {
    const { summary, example } = FORMATS[name];
    return `  ${name}\n      ${summary}\n      ${example}\n`;
  }).join('');

async function importInto(
  format: FormatName,
  files: readonly string[],
  flags: Flags,
  terminal: Terminal,
): Promise<{ path: string; report: ImportReport }> {
  const { out, name, column, force, json: _json, ...known } = flags;
  const folder = namedPath(out, '--out');
  const given = name === undefined ? undefined : fileName(name, '--name');
  const options =
    column === undefined ? known : { ...known, columns: keyValues(column, '--column') };
  const importer = await loadFormat(format);
  const bar = progressBar(terminal, 'importing');
  let path = '';
  try {
    const report = await interruptible(
      (signal) =>
        importFiles(
          importer,
          files,
          options,
          (meta) => {
            const stem = given ?? meta.instrument.symbol.replace(/[^\w.-]/g, '_');
            path = freshFile(join(folder, `${stem}.arrow`), force === true);
            return RecordingWriter.create(path, meta, { replaceUnfinished: true });
          },
          (read, total) => {
            signal.throwIfAborted();
            bar.update(total === 0 ? 1 : read / total);
          },
        ),
      internal,
    );
    return { path, report };
  } finally {
    bar.end();
  }
}

function describe(report: ImportReport): string {
  const { instrument } = report;
  const counts: [string, number][] = [
    ['trades', report.trades],
    ['top-of-book events', report.quotes],
    ['level changes', report.levelChanges],
    ['snapshots', report.snapshots],
    ['candles', report.candles],
    ['missing trades', report.missingTrades],
    ['repeated trades', report.repeatedTrades],
    ['other messages', report.otherMessages],
  ];
  const rows = [
    [
      'instrument',
      `${instrument.symbol}, tick ${instrument.tickSize}, increment ${instrument.quantityIncrement}`,
    ],
    ['from', isoTime(report.firstAt)],
    ['till', isoTime(report.lastAt)],
    ...counts
      .filter(([, count]) => count > 0)
      .map(([what, count]) => [what, count.toLocaleString('en')]),
    ['gaps', report.gaps.length === 0 ? 'none' : String(report.gaps.length)],
    ...report.gaps.map(({ file, line, kind }) => ['', `${kind} at ${file}:${line}`]),
    ...report.notes.map((note, i) => [i === 0 ? 'notes' : '', note]),
  ];
  return table(rows);
}
