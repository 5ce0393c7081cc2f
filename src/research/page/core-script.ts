/** What the scripts of the page share: columns, filters, what is picked, colours, the theme. */
export const CORE_SCRIPT = String.raw`
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const { columns, ranked } = data;
  const rowCount = columns[0].values.length;
  const find = (role) => columns.findIndex((column) => column.role === role);
  const state = columns[find('state')];
  const rank = new Map(ranked.map((row, place) => [row, place]));
  const page = {
    columns, ranked, rank, rowCount,
    objective: find('objective'),
    dimensions: columns.flatMap((column, index) => (column.role === 'dimension' ? [index] : [])),
    highIsBest: data.direction === 'maximize',
    /** Rows that pass states, filter and brushes; those of them that are ranked. */
    shown: [], done: [],
    states: new Set(state.words.keys()),
    brushes: new Map(),
    picked: ranked[0] ?? -1,
  };
  window.sweepPage = page;

  page.number = (value) =>
    value === null ? '–' : value.toLocaleString('en', { maximumSignificantDigits: 6 }).replace('-', '−');
  page.text = (column, row) => {
    const value = columns[column].values[row];
    if (columns[column].words !== undefined) return columns[column].words[value];
    return columns[column].role === 'dimension' ? String(value) : page.number(value);
  };
  page.color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  page.mix = (from, to, share) => {
    const [a, b] = [parts(from), parts(to)];
    return 'rgb(' + a.map((part, i) => Math.round(part + (b[i] - part) * share)).join(',') + ')';
  };
  /** Gives each value a colour: gains and losses where there are both, else faint to strong. */
  page.scale = (low, high) => {
    const [card, line, accent, up, down] = ['--card', '--line', '--accent', '--up', '--down'].map(page.color);
    const reach = Math.max(-low, high);
    if (low < 0 && high > 0) {
      return (value) => page.mix(card, value < 0 ? down : up, 0.12 + 0.88 * Math.abs(value) / reach);
    }
    return (value) => page.mix(line, accent, high > low ? (value - low) / (high - low) : 1);
  };
  /** A canvas as large as its box, cleared, in units of the page. */
  page.canvas = (canvas) => {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = '11px ' + getComputedStyle(document.body).fontFamily;
    return { context, width, height };
  };
  page.extent = (values) => {
    let low = Infinity, high = -Infinity;
    for (const value of values) {
      if (value === null) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return [low, high];
  };

  // Conditions such as "fast >= 5, sharpe > 1", and words that a row has anywhere.
  const SIGNS = {
    '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '!=': (a, b) => a !== b,
    '=': (a, b) => a === b, '<': (a, b) => a < b, '>': (a, b) => a > b,
  };
  page.condition = (text) => {
    const [, name, sign, given] = /^([^<>=!]+?)\s*(<=|>=|!=|=|<|>)\s*(.+)$/.exec(text) ?? [];
    if (name === undefined) {
      const word = text.toLowerCase();
      const worded = columns.filter((column) => column.words !== undefined);
      const hits = worded.map((column) => column.words.map((each) => each.toLowerCase().includes(word)));
      return (row) => worded.some((column, i) => hits[i][column.values[row]]);
    }
    const column = columns.find(({ title }) => title.toLowerCase() === name.toLowerCase());
    if (column === undefined) throw new Error('There is no column "' + name + '".');
    if (column.words !== undefined) {
      if (sign !== '=' && sign !== '!=') throw new Error(column.title + ' has words: compare it with = or !=.');
      const code = column.words.findIndex((word) => word.toLowerCase() === given.toLowerCase());
      return (row) => SIGNS[sign](column.values[row], code);
    }
    const bound = Number(given);
    if (Number.isNaN(bound)) throw new Error('"' + given + '" is no number.');
    return (row) => column.values[row] !== null && SIGNS[sign](column.values[row], bound);
  };

  const box = document.getElementById('filter');
  const fault = document.getElementById('filter-fault');
  let conditions = [];
  const read = () => {
    try {
      conditions = box.value.split(',').map((each) => each.trim()).filter((each) => each !== '').map(page.condition);
      fault.textContent = '';
    } catch (error) {
      fault.textContent = error.message;
    }
    box.setAttribute('aria-invalid', String(fault.textContent !== ''));
  };
  const drawers = [];
  let asked = false;
  page.onDraw = (draw) => drawers.push(draw);
  page.redraw = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      drawers.forEach((draw) => draw());
    });
  };
  page.filter = () => {
    const brushes = [...page.brushes].map(([column, [low, high]]) => [columns[column].values, low, high]);
    page.shown = [];
    for (let row = 0; row < rowCount; row += 1) {
      if (!page.states.has(state.values[row])) continue;
      if (!conditions.every((isMet) => isMet(row))) continue;
      if (brushes.every(([values, low, high]) => values[row] !== null && values[row] >= low && values[row] <= high)) {
        page.shown.push(row);
      }
    }
    page.done = page.shown.filter((row) => page.rank.has(row));
    document.getElementById('shown').textContent = page.shown.length + ' of ' + rowCount + ' sets';
    page.redraw();
  };
  page.pick = (row) => {
    page.picked = row;
    page.redraw();
  };
  box.addEventListener('input', () => {
    read();
    page.filter();
  });
  document.querySelectorAll('[data-state]').forEach((button) =>
    button.addEventListener('click', () => {
      const code = Number(button.dataset.state);
      const on = !page.states.has(code);
      page.states[on ? 'add' : 'delete'](code);
      button.setAttribute('aria-pressed', String(on));
      page.filter();
    }),
  );
  document.getElementById('clear').addEventListener('click', () => {
    box.value = '';
    page.brushes.clear();
    state.words.forEach((_, code) => page.states.add(code));
    document.querySelectorAll('[data-state]').forEach((button) => button.setAttribute('aria-pressed', 'true'));
    read();
    page.filter();
  });
  const root = document.documentElement;
  document.getElementById('theme').addEventListener('click', () => {
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    page.redraw();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
    root.dataset.theme = event.matches ? 'dark' : 'light';
    page.redraw();
  });
  new ResizeObserver(page.redraw).observe(document.querySelector('main'));
})();
`;
