// The report's plots, each with a table beside it.

const SVG = 'http://www.w3.org/2000/svg';
const shape = (parent, name, attributes, text) => {
  const made = document.createElementNS(SVG, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
};
const frame = (id, label) => {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 640 360');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  $(id).append(svg);
  return svg;
};
const tableOf = (id, caption, heads, rows) => {
  const table = element('table'), body = element('tbody'), head = element('tr');
  table.append(element('caption', caption));
  heads.forEach(text => { const cell = element('th', text); cell.scope = 'col'; head.append(cell); });
  const top = element('thead');
  top.append(head);
  rows.forEach(row => {
    const line = element('tr');
    row.forEach(text => line.append(text instanceof Node ? wrap(text) : element('td', text)));
    body.append(line);
  });
  table.append(top, body);
  $(id).append(table);
};
const wrap = node => { const cell = element('td'); cell.append(node); return cell; };
const box = { left: 58, right: 620, top: 20, bottom: 306 };
const vertical = (svg, ticks, place, title) => {
  ticks.forEach(([value, text]) => {
    const y = place(value);
    shape(svg, 'line', { x1: box.left, x2: box.right, y1: y, y2: y, class: 'grid' });
    shape(svg, 'text', { x: box.left - 8, y: y + 4, 'text-anchor': 'end' }, text);
  });
  shape(svg, 'line', { x1: box.left, x2: box.left, y1: box.top, y2: box.bottom, class: 'axis' });
  shape(svg, 'line', { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, class: 'axis' });
  if (title) shape(svg, 'text', { x: (box.left + box.right) / 2, y: 350, 'text-anchor': 'middle' }, title);
};

const niceStep = most => {
  const raw = Math.max(most, 1) / 4, power = 10 ** Math.floor(Math.log10(raw));
  return Math.max(1, [1, 2, 5, 10].map(f => f * power).find(step => step >= raw));
};
if (!data.sweepOnly) (() => {
  const hours = data.totals.alertsByHour, most = Math.max(...hours, 1);
  const svg = frame('hours-plot', 'Alerts by hour of the day; the table beside has the numbers.');
  const step = niceStep(most), top = Math.ceil(most / step) * step;
  const place = value => box.bottom - value / top * (box.bottom - box.top);
  const ticks = [];
  for (let value = 0; value <= top; value += step) ticks.push([value, count(value)]);
  vertical(svg, ticks, place, `hour of the day (${data.settings.timeZone === 'Z' ? 'UTC' : data.settings.timeZone})`);
  const width = (box.right - box.left) / 24;
  hours.forEach((value, hour) => {
    const x = box.left + hour * width;
    if (value) {
      const bar = shape(svg, 'rect', { x: x + 2, y: place(value), width: width - 4,
        height: box.bottom - place(value), class: 'column' });
      shape(bar, 'title', {}, `${hour}:00 to ${hour}:59: ${value} alerts`);
    }
    if (hour % 3 === 0)
      shape(svg, 'text', { x: x + width / 2, y: 325, 'text-anchor': 'middle' }, `${hour}`);
  });
  tableOf('hours-table', 'Alerts by hour of the day', ['Hour', 'Alerts'],
    hours.map((value, hour) => [`${String(hour).padStart(2, '0')}:00–${String(hour).padStart(2, '0')}:59`, count(value)]));
})();

const rows = data.sweep || [];
// Told apart with any colour vision (after Okabe and Ito), and by their dashes.
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#aa4499', '#a97800', '#56a0d0', '#7d8b99'];
const DASHES = ['', '7 4', '2 4', '10 3 2 3', '14 4'];
const plot = (id, title, label, key, group, nameOf) => {
  const usable = rows.filter(row => row[key] != null && row.recall != null);
  const xs = [...new Set(usable.map(row => row[key]))].sort((a, b) => a - b);
  if (!xs.length) { $(id).closest('.plots').hidden = true; return; }
  const svg = frame(id, title + '; the table below has the numbers.');
  const least = Math.min(...usable.map(row => row.recall));
  const low = Math.floor(Math.min(least, .9) * 10) / 10;
  const place = value => box.bottom - (value - low) / (1 - low || 1) * (box.bottom - box.top);
  const ticks = [];
  for (let tenth = Math.round(low * 10); tenth <= 10; tenth++) ticks.push([tenth / 10, `${tenth * 10} %`]);
  vertical(svg, ticks, place, label);
  // Settings are chosen in multiples, so that they are evenly spaced by their order.
  const across = value => xs.length === 1 ? (box.left + box.right) / 2
    : box.left + 26 + xs.indexOf(value) / (xs.length - 1) * (box.right - box.left - 52);
  xs.forEach(value => shape(svg, 'text', { x: across(value), y: 325, 'text-anchor': 'middle' }, `${value}`));
  const groups = new Map();
  usable.forEach(row => {
    const name = nameOf(row);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(row);
  });
  // The rule that needs no distance comes first: it is what the others are measured against.
  const names = [...groups.keys()].sort((a, b) => (b === 'adaptive') - (a === 'adaptive'));
  const list = element('ul', undefined, 'legend');
  names.forEach((name, index) => {
    const points = groups.get(name).sort((a, b) => a[key] - b[key])
      .map(row => [across(row[key]), place(row.recall), row]);
    const color = COLORS[index % COLORS.length];
    shape(svg, 'polyline', { points: points.map(p => `${p[0]},${p[1]}`).join(' '), fill: 'none',
      stroke: color, 'stroke-width': 2.2, 'stroke-dasharray': DASHES[index % DASHES.length] });
    points.forEach(([x, y, row]) => {
      const dot = shape(svg, 'circle', { cx: x, cy: y, r: 4, fill: color });
      shape(dot, 'title', {}, `${name}, ${row[key]}: ${(row.recall * 100).toFixed(1)} %`);
    });
    const item = element('li'), key2 = document.createElementNS(SVG, 'svg');
    key2.setAttribute('viewBox', '0 0 30 10');
    key2.setAttribute('style', 'width:30px;border:0;display:inline');
    shape(key2, 'line', { x1: 0, x2: 30, y1: 5, y2: 5, stroke: color, 'stroke-width': 3,
      'stroke-dasharray': DASHES[index % DASHES.length] });
    item.append(key2, ' ' + name);
    list.append(item);
  });
  $(id).append(list);
};
if (rows.length) {
  const rule = row => row.refresh === 'adaptive' ? 'adaptive' : `${row.rank}, ${row.significantChange} m`;
  plot('limit-plot', 'Recall against the limit', 'places monitored at a time', 'limit', rule, rule);
  const limit = row => `${row.limit} places, ${row.rank}`;
  plot('threshold-plot', 'Recall against the significant change', 'significant change in metres',
    'significantChange', limit, limit);
  tableOf('sweep-table', 'All settings; the cheapest that loses nothing is marked',
    ['Refresh', 'Limit', 'After', 'Rank', 'Recall', 'Late', 'Missed', 'Refreshes/km', 'Alerts/track', ''],
    rows.map(row => [row.refresh, row.limit ?? 'none',
      row.significantChange == null ? '–' : row.significantChange + ' m', row.rank,
      row.recall == null ? '–' : percent(row.foundAlerts, row.oracleAlerts), count(row.late),
      count(row.missed), row.refreshesPerKilometer == null ? '–' : row.refreshesPerKilometer.toFixed(2),
      row.alertsPerTrack == null ? '–' : row.alertsPerTrack.toFixed(2),
      row.cheapest ? element('span', 'cheapest that loses nothing', 'good') : '']));
}
