/**
 * Run as a process of its own, which is to be killed: writes a recording without end, and says on
 * standard output after each flush how many rows are durable.
 */
import { writeSync } from 'node:fs';
import { RecordingWriter } from '../../src/feeds/writer.ts';
import { LAST, LEVEL } from '../../src/model/events.ts';
import { eventsMeta } from '../kit/metas.ts';

const FLUSH_ROWS = 100_003;

const writer = RecordingWriter.create(process.argv.at(2) ?? '', eventsMeta());
for (let i = 1; ; i += 1) {
  writer.row(i, i - 1, LEVEL, LAST, i, 2 * i, 3 * i, 0, 0, 0);
  if (i % FLUSH_ROWS === 0) {
    writer.flush();
    writeSync(1, `${i}\n`);
  }
}
