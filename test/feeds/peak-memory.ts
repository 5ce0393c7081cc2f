/**
 * Run as a process of its own, whose peak of resident memory in kB it says on standard output:
 * `write PATH ROWS` writes a recording, `read PATH` reads, merges, checks and hashes one.
 */
import { writeSync } from 'node:fs';
import { checkRecording } from '../../src/feeds/check.ts';
import { merge } from '../../src/feeds/merge.ts';
import { openRecording } from '../../src/feeds/reader.ts';
import { RecordingWriter } from '../../src/feeds/writer.ts';
import { LAST, RESET, TRADE } from '../../src/model/events.ts';
import { Random } from '../../src/platform/random.ts';
import { eventsMeta } from '../kit/metas.ts';

const [action, path = '', rows = ''] = process.argv.slice(2);

function write(count: number): void {
  const random = new Random(7);
  const writer = RecordingWriter.create(path, eventsMeta());
  let at = 1_700_000_000_000_000;
  let price = 6_000_000;
  writer.row(at, at, RESET, LAST, 1, 0, 0, 0, 0, 0);
  for (let i = 1; i < count; i += 1) {
    const chance = random.uint32();
    at += chance % 4_000;
    price += (chance % 21) - 10;
    writer.row(at, at - (chance % 500), TRADE, LAST, i, price, (chance % 90_000) + 1, 0, 0, 0);
  }
  writer.finish();
}

function read(): void {
  const recording = openRecording(path);
  let sum = 0;
  for (const { columns, start, end } of merge([recording])) {
    for (let row = start; row < end; row += 1) sum += columns.size[row];
  }
  const report = checkRecording(recording);
  if (sum === 0 || report.rows === 0 || recording.fingerprint === '') process.exitCode = 1;
  recording.close();
}

if (action === 'write') write(Number(rows));
else read();
writeSync(1, String(process.resourceUsage().maxRSS));
