/** Marks the text as CSS for the formatter. */
const css = String.raw;

/** Style of sweep and walk-forward pages, in addition to that of the report page. */
export const SWEEP_STYLE = css`
  .controls {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 12px;
    align-items: center;
    margin-top: 14px;
    font-size: 13px;
    color: var(--soft);
  }
  .controls label {
    display: flex;
    gap: 6px;
    align-items: center;
  }
  select,
  input {
    font: inherit;
    color: var(--ink);
    background: var(--card);
    border: 1px solid var(--line);
    border-radius: 6px;
    padding: 3px 6px;
    max-width: 100%;
  }
  #filter {
    flex: 1 1 260px;
  }
  input[aria-invalid='true'] {
    border-color: var(--down);
  }
  #filter-fault {
    color: var(--down);
  }
  .toggle {
    border: 1px solid var(--line);
    border-radius: 99px;
    padding: 1px 10px;
    color: var(--soft);
  }
  .toggle[aria-pressed='true'] {
    color: var(--ink);
    background: var(--card);
    border-color: var(--accent);
  }
  .link {
    color: var(--accent);
  }
  select:focus-visible,
  input:focus-visible,
  canvas:focus-visible,
  .axis:focus-visible,
  #folds:focus-visible,
  #grid:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
    border-radius: 4px;
  }
  canvas {
    display: block;
    width: 100%;
    margin-top: 8px;
  }
  .halves {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 0 16px;
  }
  #not-ranked td {
    white-space: normal;
    vertical-align: top;
  }
  #heat {
    height: 380px;
  }
  #spread {
    height: 380px;
  }
  #equity {
    height: 320px;
  }
  #folds tbody tr {
    cursor: pointer;
  }
  #axes {
    position: relative;
  }
  #parallel {
    height: 320px;
  }
  .axis {
    position: absolute;
    top: 28px;
    bottom: 24px;
    width: 24px;
    cursor: ns-resize;
    touch-action: none;
  }
  #grid td {
    height: 29px;
    padding-top: 0;
    padding-bottom: 0;
    max-width: 340px;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  #grid th,
  #grid td {
    padding-right: 14px;
  }
  #grid tbody tr[data-row] {
    cursor: pointer;
  }
  .space td,
  tr.space {
    border: 0;
  }
  @media (max-width: 640px) {
    .halves {
      grid-template-columns: minmax(0, 1fr);
    }
    #heat,
    #spread {
      height: 280px;
    }
  }
`;
