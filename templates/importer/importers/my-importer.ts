import { readFileSync } from 'node:fs';
import { defineImporter, importRecording } from 'millrace/feeds';

/** Trades as lines of text: milliseconds since 1970, B or S, price and size, with semicolons. */
const importer = defineImporter({
  name: 'my-importer',
  // Called twice: prices and sizes are read first for tick size and quantity increment.
  *read(files) {
    for (const file of files) {
      const lines = readFileSync(file, 'utf8').split('\n');
      for (const [index, line] of lines.entries()) {
        if (line === '') continue;
        const [ms = '', side = '', price, size] = line.split(';');
        if (
          !/^\d+$/.test(ms) ||
          !/^[BS]$/.test(side) ||
          price === undefined ||
          size === undefined
        ) {
          throw new Error(`${file}:${index + 1} is no line such as 1767225600000;B;3000.5;0.25`);
        }
        const receivedAt = Number(ms) * 1_000; // microseconds
        yield { kind: 'trade', receivedAt, side: side === 'B' ? 'buy' : 'sell', price, size };
      }
    }
  },
});

export default importer;

// node importers/my-importer.ts recordings/ETHUSDT.arrow data/ETHUSDT.txt
if (import.meta.main) {
  const [to, ...files] = process.argv.slice(2);
  if (to === undefined || files.length === 0) {
    throw new Error('Give the recording to write, then the files to read, oldest first.');
  }
  const { trades, instrument } = await importRecording({ format: importer, files, to });
  process.stdout.write(`${to}: ${trades} trades of ${instrument.symbol}\n`);
}
