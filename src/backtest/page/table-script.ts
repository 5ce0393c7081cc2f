/** Makes tables sortable, tabs and order links work, and visible rows savable. */
export const TABLE_SCRIPT = String.raw`
(() => {
  'use strict';
  const section = document.getElementById('tables');
  const tabs = [...section.querySelectorAll('[role=tab]')];
  const panelOf = (tab) => document.getElementById(tab.getAttribute('aria-controls'));
  const select = (tab) =>
    tabs.forEach((other) => {
      other.setAttribute('aria-selected', String(other === tab));
      panelOf(other).hidden = other !== tab;
    });
  tabs.forEach((tab) => tab.addEventListener('click', () => select(tab)));
  // A link to an order shows its row, and the rows of its list with it.
  section.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#order-"]');
    if (link === null) return;
    event.preventDefault();
    const row = document.getElementById(link.getAttribute('href').slice(1));
    if (row === null) return;
    const panel = row.closest('[role=tabpanel]');
    select(tabs.find((tab) => panelOf(tab) === panel));
    const { list } = row.dataset;
    panel.querySelectorAll('tbody tr').forEach((other) => {
      const linked = other === row || (list !== undefined && other.dataset.list === list);
      other.classList.toggle('linked', linked);
    });
    row.scrollIntoView({ block: 'nearest' });
  });
  const compare = (a, b) => {
    const x = Number(a), y = Number(b);
    return Number.isNaN(x) || Number.isNaN(y) ? (a < b ? -1 : a > b ? 1 : 0) : x - y;
  };
  section.querySelectorAll('th').forEach((th) =>
    th.firstElementChild.addEventListener('click', () => {
      const down = th.getAttribute('aria-sort') === 'ascending';
      th.parentElement.querySelectorAll('th').forEach((other) => other.removeAttribute('aria-sort'));
      th.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const column = th.cellIndex;
      const body = th.closest('table').tBodies[0];
      const key = (row) => row.cells[column].dataset.key;
      body.append(...[...body.rows].sort((a, b) => compare(key(a), key(b)) * (down ? -1 : 1)));
    }),
  );
  section.querySelector('.csv').addEventListener('click', () => {
    const panel = panelOf(tabs.find((tab) => tab.getAttribute('aria-selected') === 'true'));
    const quote = (cell) => (/[",\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell);
    const lines = [...panel.querySelectorAll('tr')].map((row) =>
      [...row.cells].map((cell) => quote(cell.dataset.key ?? cell.textContent)).join(','),
    );
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([lines.join('\n') + '\n'], { type: 'text/csv' }));
    link.download = panel.id + '.csv';
    link.click();
    URL.revokeObjectURL(link.href);
  });
})();
`;
