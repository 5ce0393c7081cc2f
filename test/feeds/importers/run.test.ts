import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES, FORMATS } from '../../../src/feeds/importers/formats.ts';
import { loadFormat } from '../../../src/feeds/importers/load.ts';
import { importFiles } from '../../../src/feeds/importers/run.ts';
import { RecordingWriter } from '../../../src/feeds/writer.ts';
import { temporaryFolder } from '../../kit/recordings.ts';
import { countingSink, filesOf, importTexts, rejectionOf } from './imported.ts';

const ohlcvCsv = await loadFormat('ohlcv-csv');
const csv = 'timestamp,open,high,low,close,volume\n2022-01-01 00:00:00,1,1,1,1,1\n';
const period = 'M1' as const;

describe.each(FORMAT_NAMES)('every importer, here %s', (name) => {
  test('is listed under its name with a sentence and an example', async () => {
    expect((await loadFormat(name)).name).toBe(name);
    const { summary, example } = FORMATS[name];
    expect(summary).toMatch(/\.$/);
    expect(example).toMatch(new RegExp(`^millrace feed import ${name} .* --out `));
  });

  test('says which file is missing, or that a folder is no file', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'x'));
    for (const path of [join(folder, 'none.gz'), join(folder, 'x')]) {
      const error = await rejectionOf(name, [path]);
      expect(error).toMatchObject({ code: 'file-missing', where: path });
    }
  });

  test('wants at least one file', async () => {
    expect(await rejectionOf(name, [])).toMatchObject({ code: 'usage', field: 'files' });
  });

  test('refuses text that is not of its format, and gzip that is cut off', async () => {
    const noise = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 7_919) % 251));
    const zipped = gzipSync(noise);
    for (const bytes of [Buffer.from('hello\n'), noise, zipped.subarray(0, -9)]) {
      const paths = filesOf({ 'BTCUSDT.gz': bytes });
      const error = await rejectionOf(name, paths, { period });
      expect(error.code).toBe('import-invalid');
      expect(error.where).toContain(paths[0]);
      expect(error.message).toContain('expected');
    }
  });

  test('refuses an empty file', async () => {
    for (const file of ['BTCUSDT', 'BTCUSDT.gz']) {
      const error = await rejectionOf(name, filesOf({ [file]: '' }), { period });
      expect(error.code).toBe('import-invalid');
    }
  });
});

describe('an import', () => {
  test('writes the same bytes each time, with the fingerprints of its files', async () => {
    const paths = filesOf({ 'BTCUSDT.csv': csv });
    const folder = temporaryFolder();
    const made = ['a', 'b'].map((name) => join(folder, `${name}.arrow`));
    for (const path of made) {
      await importFiles(ohlcvCsv, paths, { period }, (meta) => RecordingWriter.create(path, meta));
    }
    const [one, two] = made.map((path) => readFileSync(path));
    expect(one.equals(two)).toBe(true);
    const { meta } = await importTexts('ohlcv-csv', { 'BTCUSDT.csv': csv }, { period });
    const sha256 = createHash('sha256').update(csv).digest('hex');
    expect(meta.provenance.sources).toEqual([{ name: 'BTCUSDT.csv', sha256 }]);
    expect(meta.provenance.parameters).toEqual({ period });
    expect(meta.provenance.synthetic).toBe(false);
  });

  test('reports its progress, which rises to the whole', async () => {
    const text =
      csv +
      Array.from({ length: 40_000 }, (_, index) => {
        const at = new Date(Date.UTC(2022, 0, 1, 0, index + 1)).toISOString();
        return `${at},1,1,1,1,1`;
      }).join('\n');
    for (const name of ['BTCUSDT.csv', 'BTCUSDT.csv.gz']) {
      const seen: [number, number][] = [];
      const sink = countingSink();
      await importFiles(
        ohlcvCsv,
        filesOf({ [name]: text }),
        {},
        () => sink,
        (...at) => {
          seen.push(at);
        },
      );
      expect(sink.ended).toEqual(['finished']);
      expect(sink.rows).toBe(40_001);
      expect(seen.length).toBeGreaterThan(3);
      const total = seen[0]?.[1];
      seen.forEach(([read, of], index) => {
        expect(of).toBe(total);
        expect(read).toBeGreaterThanOrEqual(seen[index - 1]?.[0] ?? 0);
      });
      expect(seen.at(-1)).toEqual([total, total]);
    }
  });

  test('abandons what it wrote when a later line is bad', async () => {
    const paths = filesOf({ 'BTCUSDT.csv': `${csv}2022-01-01 00:01:30,1,1,1,1,1\n` });
    const sink = countingSink();
    const run = importFiles(ohlcvCsv, paths, { period }, () => sink);
    await expect(run).rejects.toMatchObject({ code: 'import-invalid' });
    expect(sink.rows).toBe(1);
    expect(sink.ended).toEqual(['abandoned']);
  });

  test('hands on the error of a recording that cannot be made', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const run = importFiles(ohlcvCsv, filesOf({ 'BTCUSDT.csv': csv }), { period }, (meta) =>
      RecordingWriter.create(join(folder, 'file', 'x.arrow'), meta),
    );
    await expect(run).rejects.toMatchObject({ code: 'file-unwritable' });
    expect(readdirSync(folder)).toEqual(['file']);
  });

  test('is reported where the terms contradict each other', async () => {
    const paths = filesOf({ 'BTCUSDT.csv': csv });
    expect(await rejectionOf('ohlcv-csv', paths, { period, feeCurrency: 'BNB' })).toMatchObject({
      code: 'instrument-invalid',
      field: 'feeCurrency',
    });
    const { report } = await importTexts(
      'ohlcv-csv',
      { 'x.csv': csv },
      { period, symbol: 'ABC', baseCurrency: 'ABC', quoteCurrency: 'XYZ', feeCurrency: 'ABC' },
    );
    expect(report.instrument).toMatchObject({ symbol: 'ABC', feeCurrency: 'ABC' });
  });

  test('has a line limit, so that a file without lines does not fill the memory', async () => {
    const paths = filesOf({ 'BTCUSDT.csv': Buffer.alloc(66 * 1024 * 1024, 0x20) });
    const error = await rejectionOf('ohlcv-csv', paths, { period });
    expect(error.message).toContain('a line of more than');
  });
});
