import { readFileSync, writeFileSync } from 'node:fs';
import { defineImporter, importRecording } from 'millrace/feeds';

const ticks = defineImporter({
  name: 'my-ticks',
  *read(files) {
    for (const file of files) {
      for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
        const [ms, side, price, size] = line.split(';');
        const receivedAt = Number(ms) * 1_000;
        yield { kind: 'trade', receivedAt, side: side === 'B' ? 'buy' : 'sell', price, size };
      }
    }
  },
});

writeFileSync('ETHUSDT.txt', '1767225600000;B;3000.5;0.25\n1767225600250;S;3000.4;1\n');
const report = await importRecording({ format: ticks, files: ['ETHUSDT.txt'], to: 'ticks.arrow' });
console.log(report.trades, report.instrument.tickSize, report.notes);
