/** Draws one line for each ranked set over the parameters and the objective; spans of an axis filter. */
export const PARALLEL_SCRIPT = String.raw`
(() => {
  'use strict';
  const page = window.sweepPage;
  const canvas = document.getElementById('parallel');
  const box = document.getElementById('axes');
  const { columns } = page;
  const room = { left: 44, right: 44, top: 30, bottom: 26 };
  /** Lines of near objectives share a colour, so that ten thousand of them are a few strokes. */
  const TONES = 24;
  const axes = [...page.dimensions, page.objective].map((column) => {
    const { values, words, title } = columns[column];
    const [least, most] = page.extent(page.ranked.map((row) => values[row]));
    const [low, high] = words === undefined ? [least, most] : [0, words.length - 1];
    return { column, values, words, title, low, high: high > low ? high : low + 1 };
  });
  const xOf = (place) =>
    room.left + (axes.length < 2 ? 0 : (place * (canvas.clientWidth - room.left - room.right)) / (axes.length - 1));
  const span = () => canvas.clientHeight - room.top - room.bottom;
  const yOf = ({ low, high }, value) => room.top + span() * (1 - (value - low) / (high - low));
  const valueAt = ({ low, high }, y) => low + (high - low) * Math.max(0, Math.min(1, 1 - (y - room.top) / span()));
  const nameOf = ({ words }, value) =>
    words === undefined ? page.number(value) : (words[Math.round(value)] ?? '');

  const trace = (context, row) => {
    axes.forEach((axis, place) => {
      const value = axis.values[row];
      if (value === null) return;
      if (place === 0) context.moveTo(xOf(0), yOf(axis, value));
      else context.lineTo(xOf(place), yOf(axis, value));
    });
  };
  const stroke = (context, rows, style, width, alpha) => {
    context.beginPath();
    rows.forEach((row) => trace(context, row));
    context.strokeStyle = style;
    context.lineWidth = width;
    context.globalAlpha = alpha;
    context.stroke();
    context.globalAlpha = 1;
  };
  const draw = () => {
    const { context, width } = page.canvas(canvas);
    const { values } = columns[page.objective];
    const shown = new Set(page.done);
    stroke(context, page.ranked.filter((row) => !shown.has(row)), page.color('--line'), 1, 0.6);
    const [low, high] = page.extent(page.done.map((row) => values[row]));
    const colorOf = page.scale(low, high);
    const tones = Array.from({ length: TONES }, () => []);
    for (const row of page.done) {
      const share = high > low ? (values[row] - low) / (high - low) : 1;
      tones[Math.min(TONES - 1, Math.floor(share * TONES))].push(row);
    }
    const alpha = page.done.length > 2000 ? 0.35 : 0.8;
    const order = page.highIsBest ? tones : tones.toReversed();
    order.filter((rows) => rows.length > 0).forEach((rows) => stroke(context, rows, colorOf(values[rows[0]]), 1, alpha));
    if (page.rank.has(page.picked)) stroke(context, [page.picked], page.color('--ink'), 2.5, 1);
    context.textAlign = 'center';
    axes.forEach((axis, place) => {
      const x = xOf(place);
      context.strokeStyle = page.color('--soft');
      context.lineWidth = 1;
      context.strokeRect(x, room.top, 0, span());
      const brush = page.brushes.get(axis.column);
      if (brush !== undefined) {
        const [top, bottom] = [yOf(axis, Math.min(brush[1], axis.high)), yOf(axis, Math.max(brush[0], axis.low))];
        context.fillStyle = page.color('--accent');
        context.globalAlpha = 0.35;
        context.fillRect(x - 7, top, 14, Math.max(2, bottom - top));
        context.globalAlpha = 1;
      }
      context.fillStyle = page.color('--ink');
      context.textAlign = place === 0 ? 'left' : place === axes.length - 1 ? 'right' : 'center';
      const at = place === 0 ? x - room.left + 4 : place === axes.length - 1 ? width - 4 : x;
      context.fillText(axis.title, at, 12);
      context.fillStyle = page.color('--soft');
      context.fillText(nameOf(axis, axis.high), at, 25);
      context.fillText(nameOf(axis, axis.low), at, canvas.clientHeight - 8);
      follow(axis, x, brush);
    });
  };
  const follow = (axis, x, brush) => {
    axis.handle.style.left = x - 12 + 'px';
    axis.handle.setAttribute('aria-valuenow', String(brush === undefined ? axis.high : brush[1]));
    axis.handle.setAttribute('aria-valuetext',
      brush === undefined ? 'all' : nameOf(axis, brush[0]) + ' to ' + nameOf(axis, brush[1]));
  };

  const set = (axis, low, high) => {
    page.brushes.set(axis.column, [Math.min(low, high), Math.max(low, high)]);
    page.filter();
  };
  const clear = (axis) => {
    if (page.brushes.delete(axis.column)) page.filter();
  };
  const stepOf = ({ words, low, high }) => (words === undefined ? (high - low) / 20 : 1);
  axes.forEach((axis) => {
    const handle = document.createElement('div');
    axis.handle = handle;
    handle.className = 'axis';
    handle.tabIndex = 0;
    handle.title = 'Drag to filter by ' + axis.title;
    const about = { role: 'slider', 'aria-orientation': 'vertical', 'aria-valuemin': axis.low, 'aria-valuemax': axis.high };
    about['aria-label'] = 'Filter by ' + axis.title + ': arrows move the upper end, with Shift the lower, Escape clears';
    Object.entries(about).forEach(([name, value]) => handle.setAttribute(name, String(value)));
    let from;
    const y = (event) => event.clientY - canvas.getBoundingClientRect().top;
    handle.addEventListener('pointerdown', (event) => {
      from = y(event);
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener('pointermove', (event) => {
      if (from === undefined || Math.abs(y(event) - from) < 4) return;
      set(axis, valueAt(axis, from), valueAt(axis, y(event)));
    });
    handle.addEventListener('pointerup', (event) => {
      if (from !== undefined && Math.abs(y(event) - from) < 4) clear(axis);
      from = undefined;
    });
    handle.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') return clear(axis);
      const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (way === undefined) return;
      event.preventDefault();
      const [low, high] = page.brushes.get(axis.column) ?? [axis.low, axis.high];
      const moved = way * stepOf(axis);
      const within = (value) => Math.max(axis.low, Math.min(axis.high, value));
      if (event.shiftKey) set(axis, Math.min(within(low + moved), high), high);
      else set(axis, low, Math.max(within(high + moved), low));
    });
    box.append(handle);
  });
  page.onDraw(draw);
})();
`;
