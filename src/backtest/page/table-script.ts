/** Makes the tables sortable, the tabs work and the shown rows savable. */
export const TABLE_SCRIPT = String.raw`
(() => {
  'use strict';
  const section = document.getElementById('tables');
  const tabs = [...section.querySelectorAll('[role=tab]')];
  const panelOf = (tab) => document.getElementById(tab.getAttribute('aria-controls'));
  tabs.forEach((tab) =>
    tab.addEventListener('click', () =>
      tabs.forEach((other) => {
        other.setAttribute('aria-selected', String(other === tab));
        panelOf(other).hidden = other !== tab;
      }),
    ),
  );
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
