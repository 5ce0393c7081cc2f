/** What the scripts of the page of a sweep share: columns, filters, what is picked. */
export const CORE_SCRIPT = String.raw`
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const { columns, ranked } = data;
  const rowCount = columns[0].values.length;
  const find = (role) => columns.findIndex((column) => column.role === role);
  const state = columns[find('state')];
  const rank = new Map(ranked.map((row, place) => [row, place]));
  const page = Object.assign(window.sweepPage, {
    columns, ranked, rank, rowCount,
    objective: find('objective'),
    dimensions: columns.flatMap((column, index) => (column.role === 'dimension' ? [index] : [])),
    highIsBest: data.direction === 'maximize',
    /** Rows that pass states, filter and brushes; those of them that are ranked. */
    shown: [], done: [],
    states: new Set(state.words.keys()),
    brushes: new Map(),
    picked: ranked[0] ?? -1,
  });

  page.text = (column, row) => {
    const value = columns[column].values[row];
    if (columns[column].words !== undefined) return columns[column].words[value];
    return columns[column].role === 'dimension' ? String(value) : page.number(value);
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
})();
`;
