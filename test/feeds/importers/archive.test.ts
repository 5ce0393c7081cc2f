import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { zipOf } from '../../kit/zip.ts';
import { filesOf, importPaths, importTexts, rejectionOf } from './imported.ts';

const HEADER = 'timestamp,open,high,low,close,volume';
const csv = `${HEADER}\n2022-01-01 00:00:00,1,2,1,2,5\n2022-01-01 00:01:00,2,2,1,1,6\n`;
const NAME = 'BTCUSDT-1m-2022-01.csv';

describe('a zip archive', () => {
  test('is read as the one file in it, and its own bytes are the fingerprint', async () => {
    const [path] = filesOf({ 'a.zip': zipOf({ [NAME]: csv }) });
    const { rows, report, meta } = await importPaths('ohlcv-csv', [path]);
    expect(rows).toHaveLength(2);
    expect(report.instrument.symbol).toBe('BTCUSDT');
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(meta.provenance.sources).toEqual([{ name: 'a.zip', sha256 }]);
  });

  test('may hold what is no data beside it', async () => {
    const zip = zipOf({ 'readme.md': 'x', 'info.txt': 'y', [NAME]: csv, '__MACOSX/._a': 'z' });
    expect((await importTexts('ohlcv-csv', { 'a.zip': zip })).rows).toHaveLength(2);
  });

  test('of several files needs the name of one, which stands behind its own', async () => {
    const paths = filesOf({ 'all.zip': zipOf({ [NAME]: csv, 'x/ETHUSDT_1.csv': csv }) });
    const error = await rejectionOf('ohlcv-csv', paths);
    expect(error).toMatchObject({ code: 'usage', field: 'files' });
    expect(error.message).toContain(`2 files (${NAME}, x/ETHUSDT_1.csv)`);
    const { report } = await importPaths('ohlcv-csv', [`${paths[0]}/x/ETHUSDT_1.csv`]);
    expect(report.instrument.symbol).toBe('ETHUSDT');
    const missing = await rejectionOf('ohlcv-csv', [`${paths[0]}/x/none.csv`]);
    expect(missing).toMatchObject({ code: 'file-missing' });
    expect(missing.message).toContain('it holds 2 files');
  });

  test('names the line of a mistake in its member', async () => {
    const [path] = filesOf({ 'a.zip': zipOf({ [NAME]: `${csv}soon,1,1,1,1,1\n` }) });
    expect((await rejectionOf('ohlcv-csv', [path])).where).toBe(`${path}/${NAME}:4`);
  });

  test.each([
    ['cut off', (zip: Buffer) => zip.subarray(0, -30), 'cut off or damaged'],
    ['cut in its data', (zip: Buffer) => zip.subarray(0, 80), 'cut off or damaged'],
    ['changed in its data', (zip: Buffer) => changed(zip, 60), 'expected'],
    ['changed in its checksum', (zip: Buffer) => changed(zip, crcAt(zip)), 'its checksum differs'],
  ])('that is %s is refused', async (_what, damage, says) => {
    const [path] = filesOf({ 'a.zip': damage(zipOf({ [NAME]: csv })) });
    const error = await rejectionOf('ohlcv-csv', [path]);
    expect(error.code).toBe('import-invalid');
    expect(error.message).toContain(says);
  });

  test('of nothing, or of Parquet, is refused with what to do', async () => {
    const empty = filesOf({ 'a.zip': zipOf({ '__MACOSX/._a': 'z' }) });
    expect((await rejectionOf('ohlcv-csv', empty)).message).toContain('the zip archive is empty');
    const table = filesOf({ 'a.zip': zipOf({ 'a.parquet': 'PAR1' }) });
    expect((await rejectionOf('parquet', table)).message).toContain('unpack the archive first');
  });
});

describe('a file packed with zstd', () => {
  test('is read like any other, and refused where it is cut off', async () => {
    const packed = zstdCompressSync(csv.repeat(1));
    expect((await importTexts('ohlcv-csv', { [`${NAME}.zst`]: packed })).rows).toHaveLength(2);
    const error = await rejectionOf('ohlcv-csv', filesOf({ [NAME]: packed.subarray(0, -5) }));
    expect(error.code).toBe('import-invalid');
  });
});

/** Where the directory of the archive has the checksum of its first file. */
const crcAt = (zip: Buffer): number => zip.indexOf('PK\x01\x02') + 16;

function changed(zip: Buffer, at: number): Buffer {
  const copy = Buffer.from(zip);
  copy[at] ^= 0xff;
  return copy;
}
