/** What the scripts of all pages of research share: canvases, colours, when to draw, the theme. */
export const DRAW_SCRIPT = String.raw`
(() => {
  'use strict';
  const page = {};
  window.sweepPage = page;

  page.number = (value) =>
    value === null ? '–' : value.toLocaleString('en', { maximumSignificantDigits: 6 }).replace('-', '−');
  page.color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const parts = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  page.mix = (from, to, share) => {
    const [a, b] = [parts(from), parts(to)];
    return 'rgb(' + a.map((part, i) => Math.round(part + (b[i] - part) * share)).join(',') + ')';
  };
  /** Returns each value a colour: gains and losses where there are both, else faint to strong. */
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
