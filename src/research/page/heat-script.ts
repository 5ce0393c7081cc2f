/** Draws the heat map over two parameters: each cell says what its sets come to together. */
export const HEAT_SCRIPT = String.raw`
(() => {
  'use strict';
  const page = window.sweepPage;
  const canvas = document.getElementById('heat');
  const note = document.getElementById('heat-note');
  const [xChoice, yChoice, ofChoice, howChoice] = ['heat-x', 'heat-y', 'heat-of', 'heat-how'].map((id) =>
    document.getElementById(id),
  );
  const { columns, dimensions } = page;
  dimensions.forEach((column) => {
    xChoice.add(new Option(columns[column].title, column));
    yChoice.add(new Option(columns[column].title, column));
  });
  [xChoice, yChoice].forEach((choice) => choice.add(new Option('nothing', -1)));
  yChoice.selectedIndex = Math.min(1, dimensions.length);
  columns.forEach(({ role, title }, column) => {
    if (role === 'objective' || role === 'metric') ofChoice.add(new Option(title, column));
  });

  /** More values than this share cells: a cell that is smaller than a letter says nothing. */
  const CELLS_MAX = 60;
  /** The places of an axis: its values, or spans of them where there are many. */
  const axisOf = (index) => {
    if (index < 0) return { count: 1, names: [''], placeOf: () => 0 };
    const { values, words } = columns[index];
    const found = [...new Set(page.ranked.map((row) => values[row]))].sort((a, b) => a - b);
    if (found.length <= CELLS_MAX) {
      const places = new Map(found.map((value, place) => [value, place]));
      const names = found.map((value) => (words === undefined ? String(value) : words[value]));
      return { count: found.length, names, placeOf: (row) => places.get(values[row]) };
    }
    const low = found[0], high = found.at(-1), step = (high - low) / CELLS_MAX;
    const names = Array.from({ length: CELLS_MAX }, (_, place) =>
      page.number(low + place * step) + ' to ' + page.number(low + (place + 1) * step));
    const placeOf = (row) => Math.min(CELLS_MAX - 1, Math.floor((values[row] - low) / step));
    return { count: CELLS_MAX, names, placeOf };
  };
  const HOW = {
    mean: (rows, of) => rows.reduce((sum, row) => sum + of[row], 0) / rows.length,
    median: (rows, of) => {
      const sorted = rows.map((row) => of[row]).sort((a, b) => a - b);
      const half = sorted.length >> 1;
      return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    },
    max: (rows, of) => rows.reduce((most, row) => Math.max(most, of[row]), -Infinity),
    min: (rows, of) => rows.reduce((least, row) => Math.min(least, of[row]), Infinity),
    best: (rows, of) => of[rows.reduce((best, row) => (page.rank.get(row) < page.rank.get(best) ? row : best))],
    count: (rows) => rows.length,
  };
  let map;
  let cursor = [0, 0];
  const build = () => {
    const [x, y] = [axisOf(Number(xChoice.value)), axisOf(Number(yChoice.value))];
    const of = columns[Number(ofChoice.value)].values;
    const groups = new Map();
    for (const row of page.done) {
      if (of[row] === null) continue;
      const cell = y.placeOf(row) * x.count + x.placeOf(row);
      if (groups.has(cell)) groups.get(cell).push(row);
      else groups.set(cell, [row]);
    }
    const how = HOW[howChoice.value];
    const cells = new Map([...groups].map(([cell, rows]) => [cell, how(rows, of)]));
    map = { x, y, groups, cells };
    cursor = [Math.min(cursor[0], x.count - 1), Math.min(cursor[1], y.count - 1)];
    window.sweepPage.heatCells = cells;
  };
  const room = { left: 74, right: 8, top: 8, bottom: 34 };
  const frame = () => ({
    width: (canvas.clientWidth - room.left - room.right) / map.x.count,
    height: (canvas.clientHeight - room.top - room.bottom) / map.y.count,
  });
  const corner = (xPlace, yPlace) => {
    const { width, height } = frame();
    return [room.left + xPlace * width, room.top + (map.y.count - 1 - yPlace) * height];
  };
  const describe = () => {
    const cell = cursor[1] * map.x.count + cursor[0];
    const rows = map.groups.get(cell) ?? [];
    const where = [
      [xChoice, map.x.names[cursor[0]]],
      [yChoice, map.y.names[cursor[1]]],
    ].flatMap(([choice, name]) => (choice.value === '-1' ? [] : [choice.selectedOptions[0].text + ' ' + name]));
    const value = map.cells.get(cell);
    note.textContent = [...new Set(where)].join(', ') + ': ' +
      (value === undefined
        ? 'no ranked set'
        : howChoice.selectedOptions[0].text + ' ' + ofChoice.selectedOptions[0].text + ' ' + page.number(value) +
          (rows.length === 1 ? ' of one set' : ' of ' + rows.length + ' sets'));
  };
  const draw = () => {
    build();
    const { context, width: wide, height: high } = page.canvas(canvas);
    const { width, height } = frame();
    const [low, top] = page.extent(map.cells.values());
    const colorOf = page.scale(low, top);
    const gap = Math.min(width, height) > 8 ? 1 : 0;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const roomy = width > 46 && height > 16;
    for (const [cell, value] of map.cells) {
      const [left, above] = corner(cell % map.x.count, Math.floor(cell / map.x.count));
      context.fillStyle = colorOf(value);
      context.fillRect(left, above, width - gap, height - gap);
      if (!roomy) continue;
      const strength = low < 0 && top > 0 ? Math.abs(value) / Math.max(-low, top) : (value - low) / (top - low || 1);
      context.fillStyle = strength > 0.55 ? page.color('--card') : page.color('--ink');
      context.fillText(page.number(Number(value.toPrecision(4))), left + width / 2, above + height / 2);
    }
    context.fillStyle = page.color('--soft');
    const every = (count, size, least) => Math.max(1, Math.ceil((least * count) / (size || 1)));
    const short = (name) => (name.length > 11 ? name.slice(0, 10) + '…' : name);
    const xStep = every(map.x.count, wide - room.left, 54), yStep = every(map.y.count, high - room.bottom, 15);
    for (let place = 0; place < map.x.count; place += xStep) {
      context.fillText(short(map.x.names[place].split(' to ')[0]), corner(place, 0)[0] + width / 2, high - room.bottom + 12);
    }
    if (xChoice.value !== '-1') context.fillText(xChoice.selectedOptions[0].text, room.left + (wide - room.left) / 2, high - 7);
    context.textAlign = 'right';
    for (let place = 0; place < map.y.count; place += yStep) {
      context.fillText(short(map.y.names[place].split(' to ')[0]), room.left - 6, corner(0, place)[1] + height / 2);
    }
    const mark = (places, color) => {
      const [left, above] = corner(...places);
      context.strokeStyle = color;
      context.lineWidth = 2;
      context.strokeRect(left + 1, above + 1, width - gap - 2, height - gap - 2);
    };
    if (page.rank.has(page.picked)) mark([map.x.placeOf(page.picked), map.y.placeOf(page.picked)], page.color('--ink'));
    if (document.activeElement === canvas) mark(cursor, page.color('--accent'));
    describe();
  };
  page.onDraw(draw);
  [xChoice, yChoice, ofChoice, howChoice].forEach((choice) => choice.addEventListener('change', page.redraw));
  const at = (event) => {
    const { left, top } = canvas.getBoundingClientRect();
    const { width, height } = frame();
    const clamp = (place, count) => Math.max(0, Math.min(count - 1, place));
    return [
      clamp(Math.floor((event.clientX - left - room.left) / width), map.x.count),
      clamp(map.y.count - 1 - Math.floor((event.clientY - top - room.top) / height), map.y.count),
    ];
  };
  const pickCell = () => {
    const rows = map.groups.get(cursor[1] * map.x.count + cursor[0]) ?? [];
    if (rows.length > 0) page.pick(rows.reduce((best, row) => (page.rank.get(row) < page.rank.get(best) ? row : best)));
  };
  canvas.addEventListener('pointermove', (event) => {
    cursor = at(event);
    describe();
  });
  canvas.addEventListener('click', (event) => {
    cursor = at(event);
    pickCell();
  });
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') return pickCell();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    cursor = [
      Math.max(0, Math.min(map.x.count - 1, cursor[0] + step[0])),
      Math.max(0, Math.min(map.y.count - 1, cursor[1] + step[1])),
    ];
    page.redraw();
  });
  ['focus', 'blur'].forEach((name) => canvas.addEventListener(name, page.redraw));
})();
`;
