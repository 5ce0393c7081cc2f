import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openRecording } from '../../src/feeds/reader.ts';
import { recover } from '../../src/feeds/recovery.ts';
import { RecordingWriter } from '../../src/feeds/writer.ts';
import { LAST, TRADE } from '../../src/model/events.ts';
import { eventsMeta } from '../kit/metas.ts';
import { readRecording, temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

/** A `.part` of three batches of two rows each, and one row more that was never flushed. */
function unfinished(path: string): { readonly bytes: Buffer; readonly rows: readonly Row[] } {
  const writer = RecordingWriter.create(path, eventsMeta());
  const rows = [1, 2, 3, 4, 5, 6].map((at): Row => [at, at, TRADE, LAST, at, at, at, 0, 0, 0]);
  for (const row of rows) {
    writer.row(...row);
    if (row[0] % 2 === 0) writer.flush();
  }
  const bytes = readFileSync(`${path}.part`);
  writer.abandon();
  return { bytes, rows };
}

describe('recovery', () => {
  test('keeps everything flushed by a process that was killed while it wrote', async () => {
    const path = join(temporaryFolder(), 'killed.arrow');
    const script = fileURLToPath(new URL('./endless-writer.ts', import.meta.url));
    const child = spawn(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    let durable = 0;
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      durable = Number(line);
      if (durable >= 300_000) child.kill('SIGKILL');
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    expect(existsSync(path)).toBe(false);

    const { summary } = recover(`${path}.part`);
    expect(durable).toBeGreaterThanOrEqual(300_000);
    expect(summary.rows).toBeGreaterThanOrEqual(durable);
    expect(existsSync(`${path}.part`)).toBe(false);
    const recording = openRecording(path);
    expect(recording.summary).toEqual(summary);
    expect(recording.meta.provenance.notes.join()).toContain('Recovered');
    let wrong = 0;
    let at = 0;
    for (const columns of recording.batches()) {
      for (let row = 0; row < columns.length; row += 1) {
        at += 1;
        if (columns.receivedAt[row] !== at || columns.size[row] !== 3 * at) wrong += 1;
      }
    }
    recording.close();
    expect({ wrong, at }).toEqual({ wrong: 0, at: summary.rows });
  });

  test('keeps the complete batches wherever the file was cut off', () => {
    const path = join(temporaryFolder(), 'cut.arrow');
    const { bytes, rows } = unfinished(path);
    const kept = new Set<number>();
    for (let length = bytes.length; length > 0; length -= 53) {
      const cut = join(temporaryFolder(), 'cut.arrow');
      writeFileSync(`${cut}.part`, bytes.subarray(0, length));
      let recovered;
      try {
        recovered = recover(`${cut}.part`);
      } catch (error) {
        expect(error).toMatchObject({ code: 'recording-invalid' });
        // Nothing is lost by a recovery that failed.
        expect(readFileSync(`${cut}.part`).length).toBe(length);
        continue;
      }
      const read = readRecording(cut);
      expect(read).toEqual(rows.slice(0, recovered.summary.rows));
      kept.add(read.length);
    }
    expect([...kept]).toEqual([6, 4, 2, 0]);
  });

  test('drops what stands behind a damaged batch', () => {
    const path = join(temporaryFolder(), 'damaged.arrow');
    const { bytes, rows } = unfinished(path);
    const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
    // The first column of the third batch: each batch has nine.
    let frame = -1;
    for (let count = 0; count < 19; count += 1) frame = bytes.indexOf(zstd, frame + 1);
    bytes[frame + 7] ^= 0xff;
    // More than the footer covers, as when a disk was given blocks that were never written.
    writeFileSync(`${path}.part`, Buffer.concat([bytes, Buffer.alloc(20_000)]));
    const recovered = recover(`${path}.part`);
    expect(readRecording(path)).toEqual(rows.slice(0, 4));
    expect(recovered.bytesLost).toBeGreaterThan(20_000);
  });

  test('finds a file whole that lacked only its final name', () => {
    const folder = temporaryFolder();
    const whole = writeRecording(join(folder, 'a.arrow'), [[1, 1, TRADE, LAST, 1, 1, 1, 0, 0, 0]]);
    writeFileSync(join(folder, 'b.arrow.part'), readFileSync(whole));
    expect(recover(join(folder, 'b.arrow.part')).summary.rows).toBe(1);
    expect(readRecording(join(folder, 'b.arrow'))).toEqual(readRecording(whole));
  });

  test('does not replace a finished recording', () => {
    const path = join(temporaryFolder(), 'a.arrow');
    const { bytes } = unfinished(path);
    writeRecording(path, []);
    writeFileSync(`${path}.part`, bytes);
    expect(() => recover(`${path}.part`)).toThrow(expect.objectContaining({ code: 'file-exists' }));
    expect(readRecording(path)).toEqual([]);
  });

  test('refuses what is no unfinished recording', () => {
    const folder = temporaryFolder();
    expect(() => recover(join(folder, 'a.arrow'))).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
    expect(() => recover(join(folder, 'a.arrow.part'))).toThrow(
      expect.objectContaining({ code: 'file-missing' }),
    );
    writeFileSync(join(folder, 'a.arrow.part'), 'something else, of some length');
    expect(() => recover(join(folder, 'a.arrow.part'))).toThrow(
      expect.objectContaining({ code: 'recording-invalid' }),
    );
  });
});
