// Twenty dots for what becomes of 20 phones, or of 20 alerts that are due.

/** The kinds of dots, in the order in which they are counted. */
const DOT_KINDS = [
  'in time',
  'late',
  'lost: nearer stories are watched',
  'lost: looked up too late',
  'lost: stay too short',
  'lost: circle too small',
  'lost by chance',
  'lost: held back when it came',
];
/** What tells the kinds apart besides color, drawn inside a circle around 0. */
const DOT_MARKS = [
  '',
  'M0 -5A5 5 0 0 1 0 5Z',
  'M-4.5 0H4.5',
  'M0 -4.5V0L3.5 2',
  'M-3.2 3.2 3.2 -3.2',
  'M-1.2 0A1.2 1.2 0 1 0 1.2 0A1.2 1.2 0 1 0 -1.2 0',
  'M-3.2 3.2 3.2 -3.2M-3.2 -3.2 3.2 3.2',
  'M-1.6 -3.6V3.6M1.6 -3.6V3.6',
];
const DOT_SIZE = 18, DOTS_IN_A_ROW = 10;

/** Adds the dot of a kind to a drawing. */
const drawDot = (svg, kind, x, y) => {
  const dot = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  dot.setAttribute('transform', `translate(${x} ${y})`);
  dot.setAttribute('class', kind === 0 ? 'dot-came' : kind === 1 ? 'dot-late' : 'dot-lost');
  for (const [name, key, value] of [['circle', 'r', '6.5'], ['path', 'd', DOT_MARKS[kind]]]) {
    const part = document.createElementNS('http://www.w3.org/2000/svg', name);
    part.setAttribute(key, value);
    if (value) dot.append(part);
  }
  svg.append(dot);
};
const dotDrawing = (columns, rows) => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${columns * DOT_SIZE} ${rows * DOT_SIZE}`);
  svg.setAttribute('width', String(columns * DOT_SIZE));
  svg.setAttribute('height', String(rows * DOT_SIZE));
  return svg;
};

/**
 * Makes the drawing of dots and its key. For readers who cannot see it, it says the same in words.
 *
 * @param {[number[], string]|null} dots How many of each kind, and the words; null gives nothing.
 * @returns {HTMLElement|''}
 */
const phoneDots = (dots) => {
  if (!dots) return '';
  const [counts, words] = dots, box = element('figure', undefined, 'dots'), key = element('figcaption');
  const kinds = counts.flatMap((number, kind) => Array(number).fill(kind));
  const svg = dotDrawing(DOTS_IN_A_ROW, Math.ceil(kinds.length / DOTS_IN_A_ROW));
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', words);
  kinds.forEach((kind, at) =>
    drawDot(svg, kind, (at % DOTS_IN_A_ROW + .5) * DOT_SIZE, (Math.floor(at / DOTS_IN_A_ROW) + .5) * DOT_SIZE)
  );
  key.setAttribute('aria-hidden', 'true');
  counts.forEach((number, kind) => {
    if (!number) return;
    const item = element('span'), mark = dotDrawing(1, 1);
    drawDot(mark, kind, DOT_SIZE / 2, DOT_SIZE / 2);
    item.append(mark, ` ${number} ${DOT_KINDS[kind]}`);
    key.append(item, ' ');
  });
  box.append(svg, key);
  return box;
};
