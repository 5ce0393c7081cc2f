/**
 * Draws the chart in the page: price with fills, equity, drawdown, position, plots, one time axis.
 */
export const CHART_SCRIPT = String.raw`
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const box = document.getElementById('chart');
  const head = document.getElementById('chart-head');
  const lib = window.LightweightCharts;
  if (data.times.length < 2 || data.instruments.length === 0) {
    box.outerHTML = '<p class="none">The run is too short to draw.</p>';
    return;
  }
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const narrow = () => window.innerWidth < 640;
  const look = () => ({
    layout: {
      background: { type: 'solid', color: color('--card') },
      textColor: color('--soft'),
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSize: narrow() ? 10 : 11,
      attributionLogo: true,
      panes: { separatorColor: color('--line'), enableResize: !narrow() },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: color('--line') } },
    rightPriceScale: { borderVisible: false, minimumWidth: narrow() ? 52 : 76 },
    timeScale: { borderColor: color('--line'), timeVisible: true, secondsVisible: step < 60, minBarSpacing: 0.02 },
    crosshair: { mode: 0 },
    handleScroll: { vertTouchDrag: false },
    handleScale: { mouseWheel: true },
  });
  const step = data.times[2] === undefined ? 60 : data.times[2] - data.times[1];
  const chart = lib.createChart(box, { autoSize: true, ...look() });
  const number = (value, digits) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const points = (values) =>
    data.times.map((time, i) => (values[i] === null ? { time } : { time, value: values[i] }));
  const plain = { lastValueVisible: true, priceLineVisible: false };
  const deepest = Math.max(0, ...data.drawdown.map((value) => -value));
  const fine = deepest > 0 && deepest < 0.1 ? 5 : 2;
  const percent = { type: 'custom', minMove: 1e-6, formatter: (value) => number(value, fine) + '%' };
  const money = { type: 'custom', minMove: 1e-8, formatter: (value) => number(value, Math.abs(value) < 100 ? 4 : 2) };
  // A line that stays where it is gets an axis of a size that says something.
  const room = (low, high) => ({
    autoscaleInfoProvider: (original) => {
      const info = original();
      if (info === null || info.priceRange === null) return info;
      const { minValue, maxValue } = info.priceRange;
      if (minValue < maxValue) return info;
      return { ...info, priceRange: { minValue: low(minValue), maxValue: high(minValue) } };
    },
  });
  const around = room((value) => value - (Math.abs(value) / 100 || 1), (value) => value + (Math.abs(value) / 100 || 1));
  const fromZero = room((value) => Math.min(value, 0), (value) => Math.max(value, 0) || 1);
  const belowZero = room((value) => value || -1, () => 0);
  const all = [];
  const add = (kind, pane, name, options) => {
    const series = chart.addSeries(kind, { ...plain, ...options() }, pane);
    all.push({ series, options, name, pane });
    return series;
  };

  // Price. Candles while there is room for their bodies, a line beyond.
  const candles = add(lib.CandlestickSeries, 0, 'price', () => ({
    upColor: color('--up'), downColor: color('--down'), borderVisible: false,
    wickUpColor: color('--up'), wickDownColor: color('--down'),
  }));
  const markers = lib.createSeriesMarkers(candles, []);
  // The same as at the start is neither a gain nor a loss.
  const gain = (value) => color(value > data.start ? '--up' : value < data.start ? '--down' : '--soft');
  const equity = add(lib.BaselineSeries, 1, 'equity', () => ({
    baseValue: { type: 'price', price: data.start }, lineWidth: 2, priceFormat: money, ...around,
    topLineColor: gain(data.equity.at(-1)), topFillColor1: color('--up-soft'), topFillColor2: 'transparent',
    bottomLineColor: color('--down'), bottomFillColor1: 'transparent', bottomFillColor2: color('--down-soft'),
  }));
  const drawEquity = () =>
    equity.setData(
      data.times.map((time, i) => {
        const value = data.equity[i];
        return { time, value, topLineColor: gain(value), bottomLineColor: gain(value) };
      }),
    );
  drawEquity();
  const drawdown = add(lib.BaselineSeries, 2, 'drawdown', () => ({
    baseValue: { type: 'price', price: 0 }, lineWidth: 1, priceFormat: percent, ...belowZero,
    topLineColor: color('--soft'), topFillColor1: 'transparent', topFillColor2: 'transparent',
    bottomLineColor: color('--down'), bottomFillColor1: color('--down-soft'), bottomFillColor2: color('--down-soft'),
  }));
  const drawDrawdown = () =>
    drawdown.setData(
      data.times.map((time, i) => {
        const value = data.drawdown[i];
        if (value === null) return { time };
        return { time, value, bottomLineColor: color(value < 0 ? '--down' : '--soft') };
      }),
    );
  drawDrawdown();
  const position = add(lib.BaselineSeries, 3, 'position', () => ({
    baseValue: { type: 'price', price: 0 }, lineType: 1, lineWidth: 1, ...fromZero,
    priceFormat: { type: 'custom', minMove: 1e-12, formatter: (value) => String(Number(value.toPrecision(6))) },
    topLineColor: color('--accent'), topFillColor1: 'transparent', topFillColor2: 'transparent',
    bottomLineColor: color('--accent'), bottomFillColor1: 'transparent', bottomFillColor2: 'transparent',
  }));

  // Plots that live among the prices are drawn over them, the others share a pane of their own.
  const middle = (values) => {
    const known = values.filter((value) => value !== null).sort((a, b) => a - b);
    return known.length === 0 ? NaN : known[known.length >> 1];
  };
  const tone = (order) => color('--plot').split(' ')[order % 4];
  let extra = false;
  data.plots.forEach((plot, order) => {
    const ratio = middle(plot.values) / middle(data.instruments[0].candles.map((c) => c && c[3]));
    const over = ratio > 0.5 && ratio < 2;
    extra = extra || !over;
    const known = data.times.flatMap((time, i) => (plot.values[i] === null ? [] : [{ time, value: plot.values[i] }]));
    add(lib.LineSeries, over ? 0 : 4, plot.name, () => ({
      color: tone(order), lineWidth: 1, lastValueVisible: false, ...around,
    })).setData(known);
  });

  const PURPOSES = { plain: '', profit: ' for the profit', loss: ' at the stop loss', forced: ', forced by the venue,' };
  let shown = data.instruments[0];
  const fillsAt = new Map();
  const mark = () => {
    fillsAt.clear();
    markers.setMarkers(
      shown.fills
        .map((fill) => {
          const [index, side, , , , purpose] = fill;
          fillsAt.set(index, [...(fillsAt.get(index) ?? []), fill]);
          const buy = side === 'buy';
          return {
            time: data.times[index], position: buy ? 'belowBar' : 'aboveBar',
            shape: purpose === 'profit' ? 'circle' : purpose === 'loss' ? 'square' : buy ? 'arrowUp' : 'arrowDown',
            color: color(purpose === 'forced' ? '--ink' : buy ? '--up' : '--down'), size: narrow() || shown.fills.length > 200 ? 0.5 : 1,
          };
        })
        .sort((a, b) => a.time - b.time),
    );
  };
  const show = (instrument) => {
    shown = instrument;
    const { digits, tickSize } = instrument;
    candles.applyOptions({ priceFormat: { type: 'custom', minMove: tickSize, formatter: (value) => number(value, digits) } });
    candles.setData(
      data.times.map((time, i) => {
        const candle = instrument.candles[i];
        return candle === null ? { time } : { time, open: candle[0], high: candle[1], low: candle[2], close: candle[3] };
      }),
    );
    position.setData(points(instrument.position));
    mark();
    legend(data.times.length - 1);
  };

  const legendText = document.createElement('span');
  const plotTexts = data.plots.map(() => document.createElement('span'));
  const legend = (index) => {
    const candle = shown.candles[index];
    const parts = [new Date(data.times[index] * 1000).toISOString().slice(0, 19).replace('T', ' ')];
    if (candle) parts.push(shown.symbol + ' ' + number(candle[3], shown.digits));
    parts.push('equity ' + number(data.equity[index], 2) + ' ' + data.currency);
    if (data.drawdown[index]) parts.push('drawdown ' + number(-data.drawdown[index], fine) + '%');
    parts.push('position ' + Number(shown.position[index].toPrecision(8)) + ' ' + shown.base);
    for (const [, side, count, size, price, purpose] of fillsAt.get(index) ?? []) {
      parts.push((side === 'buy' ? 'bought ' : 'sold ') + Number(size.toPrecision(8)) + ' at ' + number(price, shown.digits) +
        PURPOSES[purpose] + (count > 1 ? ' (' + count + ' fills)' : ''));
    }
    legendText.textContent = parts.join('  ·  ');
    plotTexts.forEach((span, order) => {
      span.style.color = tone(order);
      const value = data.plots[order].values.slice(0, index + 1).findLast((known) => known !== null);
      span.textContent = data.plots[order].name + (value === undefined ? '' : ' ' + Number(value.toPrecision(7)));
    });
  };
  if (data.instruments.length > 1) {
    const choice = document.createElement('select');
    choice.setAttribute('aria-label', 'Symbol of the price chart');
    data.instruments.forEach(({ symbol }) => choice.add(new Option(symbol)));
    choice.addEventListener('change', () => show(data.instruments[choice.selectedIndex]));
    head.append(choice);
  }
  head.append(legendText, ...plotTexts);

  // Panes: how much of the height each has, and its name.
  const shares = [46, 22, 14, 14].concat(extra ? [16] : []);
  const names = ['price', 'equity', 'drawdown', 'position'].concat(extra ? ['plots'] : []);
  const labels = names.map((name) => {
    const label = document.createElement('div');
    label.className = 'pane-name';
    label.textContent = name;
    box.append(label);
    return label;
  });
  const arrange = () => {
    let top = 4;
    chart.panes().forEach((pane, i) => {
      labels[i].style.top = top + 'px';
      top += pane.getHeight() + 1;
    });
  };
  chart.panes().forEach((pane, i) => pane.setStretchFactor(shares[i]));

  show(shown);
  chart.timeScale().fitContent();
  chart.subscribeCrosshairMove((at) => {
    const index = at.logical === undefined ? -1 : Math.round(at.logical);
    legend(index >= 0 && index < data.times.length ? index : data.times.length - 1);
  });
  new ResizeObserver(() => requestAnimationFrame(arrange)).observe(box);
  box.addEventListener('pointerup', arrange);
  requestAnimationFrame(() => requestAnimationFrame(arrange));

  const repaint = () => {
    chart.applyOptions(look());
    all.forEach(({ series, options }) => series.applyOptions(options()));
    drawEquity();
    drawDrawdown();
    mark();
    legend(data.times.length - 1);
  };
  const root = document.documentElement;
  document.getElementById('theme').addEventListener('click', () => {
    root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
    repaint();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', (event) => {
    root.dataset.theme = event.matches ? 'dark' : 'light';
    repaint();
  });
})();
`;
