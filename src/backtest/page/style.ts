/** Marks the text as CSS for the formatter. */
const css = String.raw;

/** Style of the report page: one column of cards, one accent, two tones, light and dark. */
export const STYLE = css`
  :root {
    color-scheme: light;
    --paper: #f7f7f5;
    --card: #ffffff;
    --ink: #1d2126;
    --soft: #69707a;
    --line: #e6e6e2;
    --accent: #2f6f8f;
    --up: #16805c;
    --down: #c0483c;
    --up-soft: rgba(22, 128, 92, 0.16);
    --down-soft: rgba(192, 72, 60, 0.16);
    --plot: #8a5fb0 #b0812f #2f8f86 #b05f86;
  }
  :root[data-theme='dark'] {
    color-scheme: dark;
    --paper: #14171a;
    --card: #1b1f23;
    --ink: #e3e6e8;
    --soft: #8d959e;
    --line: #2b3036;
    --accent: #6db3d3;
    --up: #45b58b;
    --down: #e0796d;
    --up-soft: rgba(69, 181, 139, 0.18);
    --down-soft: rgba(224, 121, 109, 0.18);
    --plot: #b795d6 #d3ab62 #63bdb4 #d695b5;
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0;
    background: var(--paper);
    color: var(--ink);
    font:
      15px/1.5 system-ui,
      -apple-system,
      'Segoe UI',
      Roboto,
      sans-serif;
    font-variant-numeric: tabular-nums;
    -webkit-text-size-adjust: 100%;
  }
  main {
    max-width: 1240px;
    margin: 0 auto;
    padding: 28px 20px 48px;
  }
  h1,
  h2,
  p,
  dl,
  dd,
  ul {
    margin: 0;
    padding: 0;
  }
  h1 {
    font-size: 22px;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  h2 {
    font-size: 12px;
    font-weight: 600;
    letter-spacing: 0.06em;
    text-transform: uppercase;
    color: var(--soft);
    margin-bottom: 10px;
  }
  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
  }
  button:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
    border-radius: 4px;
  }
  .up {
    color: var(--up);
  }
  .down {
    color: var(--down);
  }
  .card {
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 12px;
    padding: 16px 18px;
    margin-top: 16px;
    min-width: 0;
  }
  header {
    display: flex;
    gap: 16px;
    align-items: flex-start;
    justify-content: space-between;
  }
  header p {
    color: var(--soft);
  }
  .badge {
    display: inline-block;
    border: 1px solid var(--line);
    border-radius: 99px;
    padding: 0 9px;
    font-size: 12px;
    line-height: 20px;
    color: var(--soft);
    vertical-align: 2px;
    margin-left: 8px;
  }
  #theme {
    flex: none;
    width: 34px;
    height: 34px;
    border: 1px solid var(--line);
    border-radius: 50%;
    font-size: 15px;
    line-height: 1;
    color: var(--soft);
  }
  .verdict {
    display: flex;
    align-items: center;
    gap: 12px 28px;
    margin: 22px 0 6px;
  }
  .verdict .big {
    font-size: 46px;
    line-height: 1.1;
    font-weight: 650;
    letter-spacing: -0.03em;
    white-space: nowrap;
  }
  .verdict .sentence {
    max-width: 62ch;
  }
  .failure {
    border-color: var(--down);
  }
  .figures {
    display: grid;
    grid-template-columns: repeat(4, 1fr);
    gap: 0 16px;
  }
  .figures dl > div {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 8px;
    padding: 3px 0;
  }
  .figures dt,
  .facts dt,
  small {
    color: var(--soft);
    font-size: 13px;
  }
  .figures dd {
    font-weight: 600;
    text-align: right;
    margin-left: auto;
  }
  .figures small {
    font-weight: 400;
  }
  .chart-head,
  .chart-key {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 14px;
    align-items: baseline;
    min-height: 24px;
    font-size: 13px;
    color: var(--soft);
  }
  .chart-head b {
    color: var(--ink);
    font-weight: 600;
  }
  .chart-head select {
    font: inherit;
    color: var(--ink);
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 6px;
    padding: 1px 4px;
  }
  #chart {
    height: 660px;
    margin: 6px -8px 0;
    position: relative;
  }
  .chart-key i {
    font-style: normal;
  }
  .pane-name {
    position: absolute;
    left: 10px;
    z-index: 3;
    font-size: 12px;
    color: var(--soft);
    pointer-events: none;
  }
  .tabs {
    display: flex;
    gap: 20px;
    align-items: baseline;
    border-bottom: 1px solid var(--line);
    margin: -4px 0 4px;
  }
  .tabs [role='tab'] {
    padding: 6px 0;
    color: var(--soft);
    font-weight: 600;
    border-bottom: 2px solid transparent;
    margin-bottom: -1px;
  }
  .tabs [aria-selected='true'] {
    color: var(--ink);
    border-color: var(--accent);
  }
  .tabs span {
    font-weight: 400;
    color: var(--soft);
  }
  .tabs .csv {
    margin-left: auto;
    color: var(--accent);
    font-size: 13px;
  }
  .scroll {
    overflow: auto;
    max-height: 460px;
    margin: 0 -18px;
    padding: 0 18px;
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font-size: 13px;
    white-space: nowrap;
  }
  th {
    position: sticky;
    top: 0;
    background: var(--card);
    text-align: left;
    font-weight: 400;
    color: var(--soft);
    box-shadow: 0 1px var(--line);
  }
  th,
  td {
    padding: 5px 8px 5px 0;
  }
  th:last-child,
  td:last-child {
    padding-right: 0;
  }
  td {
    border-bottom: 1px solid var(--line);
  }
  tr:last-child td {
    border-bottom: 0;
  }
  .n {
    text-align: right;
  }
  th[aria-sort='ascending'] button::after {
    content: ' ↑';
  }
  th[aria-sort='descending'] button::after {
    content: ' ↓';
  }
  td a {
    color: inherit;
  }
  tr.odd td {
    background: var(--paper);
  }
  tr.linked td {
    background: var(--line);
  }
  .note,
  .none {
    color: var(--soft);
    font-size: 13px;
    padding-top: 8px;
  }
  .two {
    display: grid;
    grid-template-columns: 1fr 1.6fr;
    gap: 0 16px;
  }
  .facts > div {
    display: flex;
    gap: 12px;
    padding: 3px 0;
  }
  .facts dt {
    flex: 0 0 118px;
  }
  .facts dd {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .assumptions {
    list-style: none;
    columns: 2;
    column-gap: 40px;
    font-size: 14px;
  }
  .assumptions li {
    break-inside: avoid;
    padding: 3px 0 3px 14px;
    position: relative;
  }
  .assumptions li::before {
    content: '·';
    position: absolute;
    left: 2px;
    color: var(--soft);
  }
  .assumptions .warning::before {
    content: '!';
    color: var(--down);
    font-weight: 700;
  }
  footer {
    margin-top: 22px;
    color: var(--soft);
    font-size: 12px;
  }
  footer code {
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  footer a {
    color: inherit;
  }
  @media (max-width: 980px) {
    .figures {
      grid-template-columns: repeat(2, 1fr);
    }
  }
  @media (max-width: 640px) {
    main {
      padding: 18px 12px 32px;
    }
    .verdict {
      display: block;
    }
    .verdict .sentence {
      margin-top: 6px;
    }
    .figures,
    .two {
      grid-template-columns: minmax(0, 1fr);
    }
    .card {
      padding: 12px 14px;
      margin-top: 12px;
    }
    .scroll {
      margin: 0 -14px;
      padding: 0 14px;
    }
    #chart {
      height: 560px;
    }
    .assumptions {
      columns: 1;
    }
  }
  @media print {
    #theme,
    .csv {
      display: none;
    }
    [role='tabpanel'][hidden] {
      display: block;
    }
    .scroll {
      max-height: none;
    }
  }
`;
