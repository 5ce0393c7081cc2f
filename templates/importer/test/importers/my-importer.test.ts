import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { importRecording, openRecording } from 'millrace/feeds';
import importer from '../../importers/my-importer.ts';

const folder = mkdtempSync(join(tmpdir(), 'my-importer-'));
after(() => {
  rmSync(folder, { recursive: true });
});

test('my-importer reads the time, side, price and size of each trade', async () => {
  const file = join(folder, 'ETHUSDT.txt');
  const to = join(folder, 'ETHUSDT.arrow');
  writeFileSync(file, '1767225600000;B;3000.5;0.25\n1767225600250;S;3000.4;1\n');
  const { trades, instrument } = await importRecording({ format: importer, files: [file], to });
  assert.equal(trades, 2);
  assert.equal(instrument.symbol, 'ETHUSDT');
  assert.equal(instrument.tickSize, '0.1');
  const recording = openRecording(to);
  const read = [...recording.events()].flatMap((event) =>
    event.kind === 'trade' ? [[event.receivedAt, event.side, event.price, event.size]] : [],
  );
  recording.close();
  assert.deepEqual(read, [
    [1_767_225_600_000_000, 'buy', '3000.5', '0.25'],
    [1_767_225_600_250_000, 'sell', '3000.4', '1'],
  ]);
});

test('my-importer names the line that it cannot read', async () => {
  const file = join(folder, 'broken.txt');
  writeFileSync(file, '1767225600000;B;3000.5;0.25\n1767225600250;up;3000.4;1\n');
  const to = join(folder, 'broken.arrow');
  await assert.rejects(
    importRecording({ format: importer, files: [file], to, symbol: 'ETHUSDT' }),
    /broken\.txt:2 is no line/,
  );
});
