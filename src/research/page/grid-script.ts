/** The table of the sets: only rows in sight are in the document, so that it stays quick whatever its length. */
export const GRID_SCRIPT = String.raw`
(() => {
  'use strict';
  const page = window.sweepPage;
  const box = document.getElementById('grid');
  const table = box.querySelector('table');
  const [head, body] = [table.tHead, table.tBodies[0]];
  const { columns } = page;
  const ROW = 29;
  const isNumber = ({ words }) => words === undefined;
  let sorted = { column: 0, down: false };
  let order = [];

  const names = document.createElement('tr');
  columns.forEach((column, index) => {
    const cell = document.createElement('th');
    cell.scope = 'col';
    if (isNumber(column)) cell.className = 'n';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = column.title;
    button.addEventListener('click', () => {
      sorted = { column: index, down: sorted.column === index ? !sorted.down : false };
      box.scrollTop = 0;
      page.redraw();
    });
    cell.append(button);
    names.append(cell);
  });
  head.append(names);

  const key = (index) => {
    const { values, words } = columns[index];
    if (words === undefined) return (row) => values[row];
    const places = new Map(words.map((word, code) => [code, word]).sort((a, b) => (a[1] < b[1] ? -1 : 1)).map(([code], place) => [code, place]));
    return (row) => places.get(values[row]);
  };
  const sort = () => {
    const read = key(sorted.column);
    const sign = sorted.down ? -1 : 1;
    // What has no value is last, whichever way the rest is sorted.
    order = [...page.shown].sort((a, b) => {
      const [x, y] = [read(a), read(b)];
      if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
      return sign * (x - y) || a - b;
    });
    [...names.cells].forEach((cell, index) => {
      if (index === sorted.column) cell.setAttribute('aria-sort', sorted.down ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    });
    table.setAttribute('aria-rowcount', String(order.length + 1));
  };
  const space = (rows) => {
    const row = document.createElement('tr');
    row.className = 'space';
    row.setAttribute('aria-hidden', 'true');
    row.style.height = rows * ROW + 'px';
    return row;
  };
  const render = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / ROW) - 8);
    const last = Math.min(order.length, first + Math.ceil(box.clientHeight / ROW) + 16);
    const rows = order.slice(first, last).map((row, place) => {
      const line = document.createElement('tr');
      line.dataset.row = String(row);
      line.setAttribute('aria-rowindex', String(first + place + 2));
      if (row === page.picked) line.className = 'linked';
      columns.forEach((column, index) => {
        const cell = line.insertCell();
        if (isNumber(column)) cell.className = 'n';
        cell.textContent = page.text(index, row);
        if (column.role === 'objective' || column.role === 'metric') cell.title = String(column.values[row] ?? '');
        if (column.role === 'reason') cell.title = cell.textContent;
      });
      return line;
    });
    body.replaceChildren(space(first), ...rows, space(order.length - last));
  };
  page.onDraw(() => {
    sort();
    render();
  });
  let asked = false;
  box.addEventListener('scroll', () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      render();
    });
  });
  body.addEventListener('click', (event) => {
    const line = event.target.closest('tr[data-row]');
    if (line !== null) page.pick(Number(line.dataset.row));
  });
  box.addEventListener('keydown', (event) => {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (way === undefined || event.target !== box || order.length === 0) return;
    event.preventDefault();
    const at = order.indexOf(page.picked);
    const next = Math.max(0, Math.min(order.length - 1, at + way));
    const top = next * ROW;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + 2 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * ROW - box.clientHeight;
    page.pick(order[next]);
  });
  document.querySelector('.csv').addEventListener('click', () => {
    const quote = (cell) => (/[",\r\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell);
    const cellOf = (column, row) =>
      column.words === undefined ? String(column.values[row] ?? '') : quote(column.words[column.values[row]]);
    const lines = [columns.map(({ title }) => quote(title)), ...order.map((row) => columns.map((column) => cellOf(column, row)))];
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([lines.map((cells) => cells.join(',')).join('\n') + '\n'], { type: 'text/csv' }));
    link.download = 'sets.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  });
  page.filter();
})();
`;
