import { readFileSync, rmSync } from 'node:fs';
import { cpuUsage, stdout, argv } from 'node:process';
import { asyncBufferFromFile, parquetScan } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { FormatName } from '../src/feeds/importers/formats.ts';
import { loadFormat } from '../src/feeds/importers/load.ts';
import { importFiles } from '../src/feeds/importers/run.ts';
import { RecordingWriter } from '../src/feeds/writer.ts';
import { inlineMore } from '../src/platform/compiler.ts';
import { SystemScheduler } from '../src/platform/system-scheduler.ts';
import { US_PER_SECOND } from '../src/platform/time.ts';

/** What one process measured: the best of its rounds. */
export interface ImportFigures {
  readonly rows: number;
  readonly rowsPerSecond: number;
  /** Splitting the same files into fields and reading three of each row as numbers, with nothing else. */
  readonly bareRowsPerSecond: number;
  /** How many times as long as that the import takes. */
  readonly ratio: number;
  /** Processor time of all threads, for a row. */
  readonly processorNs: number;
  readonly peakBytes: number;
}

// As the command does.
inlineMore();

const [format, symbol, rounds, ...files] = argv.slice(2);
stdout.write(JSON.stringify(await measure(format as FormatName, Number(rounds))));

async function measure(name: FormatName, times: number): Promise<ImportFigures> {
  const importer = await loadFormat(name);
  const clock = new SystemScheduler();
  const target = `${files[0]}.arrow`;
  let [best, bare, processorUs] = [Infinity, Infinity, Infinity];
  let rows = 0;
  for (let round = 0; round < times; round += 1) {
    const used = cpuUsage();
    const startAt = clock.now();
    const report = await importFiles(importer, files, { symbol }, (meta) =>
      RecordingWriter.create(target, meta, { replaceUnfinished: true }),
    );
    best = Math.min(best, clock.now() - startAt);
    const { user, system } = cpuUsage(used);
    processorUs = Math.min(processorUs, user + system);
    rows = report.rows;
    rmSync(target);
  }
  const { maxRSS } = process.resourceUsage();
  for (let round = 0; round < times; round += 1) {
    const startAt = clock.now();
    if (name === 'parquet') await bareParquet();
    else bareText();
    bare = Math.min(bare, clock.now() - startAt);
  }
  return {
    rows,
    rowsPerSecond: (rows / best) * US_PER_SECOND,
    bareRowsPerSecond: (rows / bare) * US_PER_SECOND,
    ratio: best / bare,
    processorNs: (1_000 * processorUs) / rows,
    peakBytes: maxRSS * 1_024,
  };
}

function bareText(): void {
  let sum = 0;
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').split('\n');
    lines[0] = '';
    for (const line of lines) {
      const fields = line.split(',');
      if (fields.length < 3) continue;
      const [last, before, time] = [fields.at(-1), fields.at(-2), fields.at(-3)];
      sum += Number(last) + Number(before) + Number(time?.length);
    }
  }
  if (!(sum > 0)) throw new RangeError('the files hold no numbers');
}

async function bareParquet(): Promise<void> {
  let sum = 0;
  for (const path of files) {
    const file = await asyncBufferFromFile(path);
    const scan = await parquetScan({ file, compressors, utf8: false });
    for (const { rowStart, rowEnd } of scan.ranges) {
      for (const column of ['timestamp', 'price', 'size', 'side', 'id']) {
        const cells = await scan.readColumn({ column, rowStart, rowEnd });
        for (let row = 0; row < cells.length; row += 1) sum += Number(cells[row]) > 0 ? 1 : 0;
      }
    }
  }
  if (!(sum > 0)) throw new RangeError('the files hold no numbers');
}
