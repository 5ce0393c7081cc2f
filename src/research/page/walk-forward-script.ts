/** Draws the equity through all tests and what the folds chose; a fold is picked in either, or in the table. */
export const WALK_FORWARD_SCRIPT = String.raw`
(() => {
  'use strict';
  const page = window.sweepPage;
  const { at, equity, folds, parameters } = JSON.parse(document.getElementById('data').textContent);
  const canvas = document.getElementById('equity');
  const stability = document.getElementById('stability');
  const note = document.getElementById('fold-note');
  const table = document.getElementById('folds');
  const rows = [...table.querySelectorAll('tbody tr')];
  const room = { left: 8, right: 64, top: 20, bottom: 22 };
  let picked = 0;

  const day = (us) => new Date(us / 1000).toISOString().slice(0, 16).replace('T', ' ');
  const [first, last] = [folds[0].from, folds.at(-1).till];
  const timeOf = (width) => (us) =>
    room.left + ((us - first) / (last - first)) * (width - room.left - room.right);

  const drawEquity = () => {
    const { context, width, height } = page.canvas(canvas);
    const xOf = timeOf(width);
    const [low, high] = page.extent([...equity, 1]);
    const tall = height - room.top - room.bottom;
    const yOf = (value) => room.top + (1 - (value - low) / (high - low || 1)) * tall;
    context.textAlign = 'center';
    let free = 0;
    folds.forEach(({ from, till }, fold) => {
      const [left, right] = [xOf(from), xOf(till)];
      context.fillStyle = page.color(fold === picked ? '--up-soft' : '--line');
      context.globalAlpha = fold === picked ? 1 : fold % 2 === 0 ? 0.7 : 0.35;
      context.fillRect(left, room.top, Math.max(1, right - left - 1), tall);
      context.globalAlpha = 1;
      const name = String(fold + 1);
      const middle = (left + right) / 2;
      if (middle < free) return;
      context.fillStyle = page.color(fold === picked ? '--ink' : '--soft');
      context.fillText(name, middle, 13);
      free = middle + context.measureText(name).width + 10;
    });
    context.fillStyle = page.color('--soft');
    context.fillRect(room.left, yOf(1), width - room.left - room.right, 1);
    context.textAlign = 'left';
    const label = (value) => context.fillText(page.number(value), width - room.right + 6, yOf(value) + 4);
    for (const value of new Set([low, high])) label(value);
    if (Math.abs(yOf(1) - yOf(low)) > 14 && Math.abs(yOf(1) - yOf(high)) > 14) label(1);
    context.fillText(day(first), room.left, height - 6);
    context.textAlign = 'right';
    context.fillText(day(last), width - room.right, height - 6);
    context.strokeStyle = page.color(equity.at(-1) < 1 ? '--down' : '--up');
    context.lineWidth = 1.6;
    context.lineJoin = 'round';
    context.beginPath();
    at.forEach((us, point) => context[point === 0 ? 'moveTo' : 'lineTo'](xOf(us), yOf(equity[point])));
    context.stroke();
  };

  const drawStability = () => {
    const { context, width, height } = page.canvas(stability);
    const tall = (height - room.bottom) / parameters.length;
    const wide = (width - room.left - room.right) / folds.length;
    const xOf = (fold) => room.left + (fold + 0.5) * wide;
    parameters.forEach(({ title, values, low, high, words }, place) => {
      const top = place * tall + room.top;
      const bottom = (place + 1) * tall - 12;
      const yOf = (value) => (high > low ? bottom - ((value - low) / (high - low)) * (bottom - top) : (top + bottom) / 2);
      context.fillStyle = page.color('--line');
      context.globalAlpha = 0.4;
      context.fillRect(room.left, top - 5, width - room.left - room.right, bottom - top + 10);
      context.globalAlpha = 1;
      context.fillStyle = page.color('--soft');
      context.textAlign = 'left';
      context.fillText(title, room.left, top - 9);
      const name = (value) => (words === undefined ? page.number(value) : words[value]).slice(0, 9);
      for (const value of new Set([low, high])) context.fillText(name(value), width - room.right + 6, yOf(value) + 4);
      context.strokeStyle = page.color('--accent');
      context.lineWidth = 1.2;
      context.beginPath();
      let isOn = false;
      values.forEach((value, fold) => {
        if (value !== null) context[isOn ? 'lineTo' : 'moveTo'](xOf(fold), yOf(value));
        isOn = value !== null;
      });
      context.stroke();
      values.forEach((value, fold) => {
        if (value === null) return;
        context.fillStyle = page.color(fold === picked ? '--ink' : '--accent');
        context.beginPath();
        context.arc(xOf(fold), yOf(value), fold === picked ? 4.5 : Math.min(3, wide / 2), 0, 7);
        context.fill();
      });
    });
    context.fillStyle = page.color('--soft');
    context.textAlign = 'left';
    context.fillText('fold 1', room.left, height - 6);
    context.textAlign = 'right';
    context.fillText('fold ' + folds.length, width - room.right, height - 6);
  };

  const mark = () => {
    note.textContent = folds[picked].text;
    rows.forEach((row, fold) => {
      row.classList.toggle('linked', fold === picked);
      row.setAttribute('aria-selected', String(fold === picked));
    });
  };
  const pick = (fold) => {
    picked = Math.min(folds.length - 1, Math.max(0, fold));
    page.redraw();
  };
  const MOVES = {
    ArrowLeft: () => picked - 1, ArrowUp: () => picked - 1,
    ArrowRight: () => picked + 1, ArrowDown: () => picked + 1,
    Home: () => 0, End: () => folds.length - 1,
  };
  for (const box of [canvas, table]) {
    box.addEventListener('keydown', (event) => {
      const move = MOVES[event.key];
      if (move === undefined) return;
      event.preventDefault();
      pick(move());
      if (box === table) rows[picked].scrollIntoView({ block: 'nearest' });
    });
  }
  canvas.addEventListener('click', ({ offsetX }) => {
    const xOf = timeOf(canvas.clientWidth);
    const fold = folds.findIndex(({ from, till }) => offsetX >= xOf(from) && offsetX <= xOf(till));
    if (fold >= 0) pick(fold);
  });
  rows.forEach((row, fold) => row.addEventListener('click', () => pick(fold)));
  stability?.addEventListener('click', ({ offsetX }) => {
    const wide = (stability.clientWidth - room.left - room.right) / folds.length;
    pick(Math.floor((offsetX - room.left) / wide));
  });
  page.onDraw(drawEquity);
  if (stability !== null) page.onDraw(drawStability);
  page.onDraw(mark);
  page.redraw();
})();
`;
