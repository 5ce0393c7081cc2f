import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCatalog } from '../../src/feeds/catalog.ts';
import { LAST, TRADE } from '../../src/model/events.ts';
import { instrumentOf } from '../kit/instruments.ts';
import { eventsMeta } from '../kit/metas.ts';
import { temporaryFolder, writeRecording } from '../kit/recordings.ts';

describe('a catalog', () => {
  test('lists recordings by name, and beside them what is none', () => {
    const folder = temporaryFolder();
    const ether = eventsMeta({ instrument: instrumentOf({ symbol: 'ETHUSDT' }).terms });
    writeRecording(join(folder, 'b.arrow'), [[7, 7, TRADE, LAST, 1, 1, 1, 0, 0, 0]]);
    writeRecording(join(folder, 'a.arrow'), [], ether);
    writeFileSync(join(folder, 'notes.txt'), 'not looked at');
    writeFileSync(join(folder, 'c.arrow'), 'bad');
    copyFileSync(join(folder, 'a.arrow'), join(folder, 'd.arrow.part'));
    mkdirSync(join(folder, 'e.arrow'));

    const catalog = openCatalog(folder);
    const seen = catalog.entries.map(({ path, meta, summary }) => [
      path,
      meta.instrument.symbol,
      summary.rows,
    ]);
    expect(seen).toEqual([
      [join(folder, 'a.arrow'), 'ETHUSDT', 0],
      [join(folder, 'b.arrow'), 'BTCUSDT', 1],
    ]);
    expect(catalog.problems.map(({ path, error }) => [path, error.code])).toEqual([
      [join(folder, 'c.arrow'), 'recording-invalid'],
      [join(folder, 'd.arrow.part'), 'recording-truncated'],
      [join(folder, 'e.arrow'), 'file-missing'],
    ]);
  });

  test('needs a folder', () => {
    expect(() => openCatalog(join(temporaryFolder(), 'none'))).toThrow(
      expect.objectContaining({ code: 'file-missing' }),
    );
  });
});
