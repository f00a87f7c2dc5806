// Parts of all plots. Each plot is drawn for its actual width, so that its text stays readable.

const SVG = 'http://www.w3.org/2000/svg';
// Distinct for all kinds of color vision (after Okabe and Ito), and by their dashes.
const SERIES = 7;
const DASHES = ['', '7 4', '2 4', '10 3 2 3', '14 4'];

/** Appends a shape to another. */
const shape = (parent, name, attributes, text) => {
  const made = document.createElementNS(SVG, name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
};

/** Functions that each draw a plot again if its width has changed. */
const plots = [];

/**
 * Adds a plot to the beginning of an element.
 *
 * @param {HTMLElement} place
 * @param {string} label The description for readers who cannot see it.
 * @param {number} height In pixels.
 * @param {(svg: SVGElement, box: { left: number, right: number, top: number, bottom: number }) => void} draw
 * @param {number} left The width of the labels on the left, in pixels.
 * @param {number} widest The largest width of the plot, in pixels.
 */
const addPlot = (place, label, height, draw, left = 58, widest = 760) => {
  let width = 0;
  plots.push(() => {
    const now = Math.round(Math.min(Math.max(place.clientWidth || 640, 260), widest));
    if (now === width) return;
    width = now;
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
    place.querySelector(':scope > svg')?.remove();
    place.prepend(svg);
    draw(svg, { left, right: width - 16, top: 16, bottom: height - 44, height });
  });
};
addEventListener('resize', () =>
  requestAnimationFrame(() => {
    for (const draw of plots) draw();
  }));

const tableOf = (place, caption, heads, rows) => {
  const table = element('table'), body = element('tbody'), head = element('tr');
  table.append(element('caption', caption));
  for (const text of heads) {
    const cell = element(text ? 'th' : 'td', text);
    if (text) cell.scope = 'col';
    head.append(cell);
  }
  const top = element('thead');
  top.append(head);
  for (const row of rows) {
    const line = element('tr');
    for (const text of row) {
      const cell = element('td');
      cell.append(text);
      line.append(cell);
    }
    body.append(line);
  }
  table.append(top, body);
  place.append(table);
};

/** Draws the axes, a labeled grid line for each tick, and a title below. */
const axes = (svg, box, ticks, place, title) => {
  for (const [value, text] of ticks) {
    const y = place(value);
    shape(svg, 'line', { x1: box.left, x2: box.right, y1: y, y2: y, class: 'grid' });
    shape(svg, 'text', { x: box.left - 8, y: y + 4, 'text-anchor': 'end' }, text);
  }
  shape(svg, 'line', { x1: box.left, x2: box.left, y1: box.top, y2: box.bottom, class: 'axis' });
  shape(svg, 'line', { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, class: 'axis' });
  if (title) {
    shape(svg, 'text', { x: (box.left + box.right) / 2, y: box.bottom + 38, 'text-anchor': 'middle' }, title);
  }
};

/** Draws labels below the horizontal axis, as many as fit. */
const wordsBelow = (svg, box, words, across) => {
  const widest = Math.max(...words.map((word) => word.length), 1) * 7 + 8;
  const every = Math.max(1, Math.ceil(words.length * widest / (box.right - box.left)));
  words.forEach((word, index) => {
    if (index % every === 0) {
      shape(svg, 'text', { x: across(index), y: box.bottom + 17, 'text-anchor': 'middle' }, word);
    }
  });
};

/** A round step of which about `steps` reach `most`. */
const niceStep = (most, steps = 4) => {
  const raw = most / steps, power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((f) => f * power).find((step) => step >= raw * .999);
};

/** Ticks at round whole numbers from 0 to beyond `most`. */
const countTicks = (most) => {
  const step = Math.max(1, niceStep(Math.max(most, 1))), ticks = [];
  for (let value = 0; value < most + step; value += step) ticks.push([value, count(value)]);
  return ticks;
};

const WIDEST_COLUMN = 60;

/** Draws columns for counts, with a label below each at its middle (.5) or its left edge (0). */
const drawColumns = (svg, box, values, words, titles, title, middle = .5) => {
  const ticks = countTicks(Math.max(...values, 1)), top = ticks.at(-1)[0];
  const place = (value) => box.bottom - value / top * (box.bottom - box.top);
  axes(svg, box, ticks, place, title);
  const width = (box.right - box.left) / values.length;
  const gap = Math.max(Math.min(2, width * .15), (width - WIDEST_COLUMN) / 2);
  values.forEach((value, index) => {
    if (!value) return;
    const bar = shape(svg, 'rect', {
      x: box.left + index * width + gap,
      y: place(value),
      width: width - 2 * gap,
      height: box.bottom - place(value),
      class: 'column',
    });
    shape(bar, 'title', {}, titles[index]);
  });
  wordsBelow(svg, box, words, (index) => box.left + (index + middle) * width);
};

/** A legend item with the line that the plot uses. */
const lineKey = (number, name) => {
  const item = element('li'), key = document.createElementNS(SVG, 'svg');
  key.setAttribute('viewBox', '0 0 30 10');
  key.setAttribute('class', 'line-key');
  key.setAttribute('aria-hidden', 'true');
  shape(key, 'line', {
    x1: 0,
    x2: 30,
    y1: 5,
    y2: 5,
    class: `series series-${number % SERIES}`,
    'stroke-dasharray': DASHES[number % DASHES.length],
  });
  item.append(key, ' ' + name);
  return item;
};
