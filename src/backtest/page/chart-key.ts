import type { ChartData } from './chart-data.ts';

/** Legend of the chart: its marks, and the tones of the equity. */
export function chartKey({ instruments, samplesPerPoint }: ChartData): string {
  const fills = instruments.flatMap((instrument) => instrument.fills);
  const marks = [
    [fills.some(([, side, , , , of]) => side === 'buy' && of === 'plain'), 'up', '▲', 'buy'],
    [fills.some(([, side, , , , of]) => side === 'sell' && of === 'plain'), 'down', '▼', 'sell'],
    [fills.some(([, , , , , of]) => of === 'profit'), '', '●', 'exit of a list for a profit'],
    [fills.some(([, , , , , of]) => of === 'loss'), '', '■', 'exit of a list by a stop order'],
    [fills.some(([, , , , , of]) => of === 'forced'), 'ink', '▲▼', 'forced by the venue'],
  ] as const;
  const shown = marks.filter(([there]) => there);
  const items = shown.map(([, tone, mark, meaning]) => item(tone, mark, meaning));
  if (shown.some(([, tone]) => tone === '')) {
    items.push('<span>green buys, red sells</span>');
  }
  items.push('<span>equity: green above its start, red below, grey at it</span>');
  if (fills.some(([, , count]) => count > 1)) {
    items.push('<span>a mark shows all fills of its point; fills.csv has each</span>');
  }
  if (samplesPerPoint > 1) {
    items.push(
      `<span>a point shows ${samplesPerPoint} samples, with their price range and maximum drawdown; equity.csv has each</span>`,
    );
  }
  return `<p class="chart-key">${items.join('')}</p>`;
}

const item = (tone: string, mark: string, meaning: string): string =>
  `<span><i${toned(tone)}>${mark}</i> ${meaning}</span>`;

function toned(tone: string): string {
  if (tone === '') return '';
  return tone === 'ink' ? ' style="color:var(--ink)"' : ` class="${tone}"`;
}
