/** Draws how the objective is spread over the ranked sets, and what is left of it by the filter. */
export const SPREAD_SCRIPT = String.raw`
(() => {
  'use strict';
  const page = window.sweepPage;
  const canvas = document.getElementById('spread');
  const note = document.getElementById('spread-note');
  const { values, title } = page.columns[page.objective];
  const [low, high] = page.extent(page.ranked.map((row) => values[row]));
  const BINS = Math.max(1, Math.min(48, Math.ceil(2 * Math.sqrt(page.ranked.length))));
  const step = (high - low) / BINS || 1;
  const binsOf = (rows) => {
    const bins = new Array(BINS).fill(0);
    for (const row of rows) bins[Math.min(BINS - 1, Math.floor((values[row] - low) / step))] += 1;
    return bins;
  };
  const all = binsOf(page.ranked);
  const room = { left: 8, right: 8, top: 16, bottom: 22 };
  const quantile = (sorted, share) => {
    const at = (sorted.length - 1) * share;
    const under = Math.floor(at);
    const above = sorted[Math.min(under + 1, sorted.length - 1)];
    return sorted[under] + (above - sorted[under]) * (at - under);
  };
  const draw = () => {
    const { context, width, height } = page.canvas(canvas);
    if (page.ranked.length === 0) return;
    const shown = binsOf(page.done);
    const most = Math.max(...all);
    const wide = (width - room.left - room.right) / BINS;
    const tall = height - room.top - room.bottom;
    const bar = (bin, count) => {
      const size = (tall * count) / most;
      context.fillRect(room.left + bin * wide, room.top + tall - size, Math.max(1, wide - 1), size);
    };
    context.fillStyle = page.color('--line');
    all.forEach((count, bin) => bar(bin, count));
    const colorOf = page.scale(low, high);
    shown.forEach((count, bin) => {
      context.fillStyle = colorOf(low + (bin + 0.5) * step);
      bar(bin, count);
    });
    const xOf = (value) => room.left + ((value - low) / (step * BINS)) * (width - room.left - room.right);
    const line = (value, name, color) => {
      context.fillStyle = color;
      context.fillRect(xOf(value) - 0.5, room.top - 4, 1.5, tall + 4);
      context.textAlign = xOf(value) < width / 2 ? 'left' : 'right';
      context.fillText(name, xOf(value), 9);
    };
    if (low < 0 && high > 0) {
      context.fillStyle = page.color('--soft');
      context.fillRect(xOf(0), room.top, 1, tall);
    }
    context.fillStyle = page.color('--soft');
    context.textAlign = 'left';
    context.fillText(page.number(low), room.left, height - 6);
    context.textAlign = 'right';
    context.fillText(page.number(high), width - room.right, height - 6);
    const sorted = page.done.map((row) => values[row]).sort((a, b) => a - b);
    if (sorted.length === 0) {
      note.textContent = 'No ranked set passes the filter.';
      return;
    }
    const median = quantile(sorted, 0.5);
    line(median, 'median', page.color('--soft'));
    if (page.rank.has(page.picked)) line(values[page.picked], 'picked', page.color('--ink'));
    const above = sorted.filter((value) => value > 0).length / sorted.length;
    note.textContent = [
      title + ' of ' + sorted.length + ' sets', 'median ' + page.number(median),
      'middle half ' + page.number(quantile(sorted, 0.25)) + ' to ' + page.number(quantile(sorted, 0.75)),
      'best ' + page.number(page.highIsBest ? sorted.at(-1) : sorted[0]),
      Math.round(above * 1000) / 10 + '% above zero',
    ].join('  ·  ');
  };
  page.onDraw(draw);
})();
`;
