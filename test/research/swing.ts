import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SweepOptions } from '../../src/backtest.ts';
import { LAST, TRADE } from '../../src/model/events.ts';
import { temporaryFolder, writeRecording, type Row } from '../kit/recordings.ts';

const START = Date.UTC(2024, 0, 1) * 1_000;

/** Trades of four minutes, a second apart, on a price that swings. */
export const rows = (height = 500): readonly Row[] =>
  Array.from({ length: 240 }, (_, second) => {
    const at = START + second * 1_000_000;
    const price = 6_000_000 + Math.round(height * Math.sin(second / 9));
    return [at, at, TRADE, LAST, second + 1, price, 1_000, 0, 0, 0];
  });

/** Buys at the trade `at`, sells at `hold` trades later; does what `then` says in between. */
export const strategy = (then = ''): string => `
import { map, filter } from 'rxjs';
import { amount, defineStrategy, setMargin, target, z } from 'millrace';
let runs = 0;
export default defineStrategy({
  name: 'swing',
  summary: 'Holds half of its equity between two trades.',
  parameters: z.object({
    at: z.int().min(1).max(200).default(5),
    hold: z.int().min(1).max(100).default(10),
    share: z.string().regex(/^0\\.\\d+$/).default('0.5'),
  }),
  run: ({ market, parameters: p }) => {
    let seen = 0;
    runs += 1;
    return market.trades('BTCUSDT').pipe(
      map(() => (seen += 1)),
      filter((n) => n === p.at || n === p.at + p.hold),
      map((n) => { ${then} return target('BTCUSDT', n === p.at ? Number(p.share) : 0); }),
    );
  },
});
`;

export interface Laid {
  readonly folder: string;
  readonly file: string;
  readonly options: SweepOptions & { readonly store: string };
}

/** A strategy, a recording and the options of a sweep of six sets, in a folder of their own. */
export function laid(then?: string): Laid {
  const folder = temporaryFolder();
  const file = join(folder, 'swing.mts');
  writeFileSync(file, strategy(then));
  const recording = writeRecording(join(folder, 'BTCUSDT.arrow'), rows());
  return {
    folder,
    file,
    options: {
      backtest: {
        strategy: file,
        recordings: [recording],
        balances: { USDT: '10000' },
        sampleEvery: '1s',
      },
      vary: { at: '5..45 step 20', hold: [10, 20] },
      objective: 'profit',
      workers: 1,
      store: join(folder, 'sweep.sqlite'),
    },
  };
}
