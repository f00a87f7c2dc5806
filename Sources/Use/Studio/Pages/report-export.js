// Charts as SVG and PNG, and tables as CSV, to use elsewhere.

/** The properties of shapes that the style sheet sets and a picture of its own must hold. */
const SHAPE_STYLE = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
];
/** The height of the title above and of the source below a picture, in pixels. */
const TITLE_HEIGHT = 34, SOURCE_HEIGHT = 26;
/** Pixels of a PNG for each pixel of the chart. */
const SHARPNESS = 2;

/** Where the numbers come from, for below a picture. */
const sourceWords = () => {
  const page = document.querySelector('h1')?.textContent.trim() ?? document.title;
  return `Source: Fencepost, ${page}`;
};
/** The words of a heading or a caption, whose parts may lie in elements of their own. */
const wordsOf = (one) => [...one.childNodes].map((part) => part.textContent.trim()).filter(Boolean).join(': ');
/** The title of a chart: its caption, or else its description without the note about its numbers. */
const chartTitle = (svg) => {
  const caption = svg.closest('figure')?.querySelector('figcaption');
  return caption
    ? wordsOf(caption)
    : svg.getAttribute('aria-label').replace(/[;.] the (table|numbers)\b.*$/i, '').trim();
};
/** The title of a table: that of its part of the page and the first sentence of its caption. */
const tableTitle = (table) => {
  const figure = table.closest('figure')?.querySelector('figcaption');
  const part = table.closest('section, article')?.querySelector('h2, h3')?.textContent.trim();
  const caption = (table.caption?.textContent.trim() ?? '').split(/\.\s/)[0];
  return figure ? wordsOf(figure) : [part, caption].filter(Boolean).join(': ') || document.title;
};
const fileName = (title, kind) =>
  (title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
    .slice(0, 60) || 'chart') + '.' + kind;

/** A chart as a picture that needs no style sheet: its size and its text. */
const pictureOf = (svg, title) => {
  const { width, height } = svg.viewBox.baseVal,
    copy = svg.cloneNode(true),
    whole = height + TITLE_HEIGHT + SOURCE_HEIGHT;
  const page = getComputedStyle(document.body),
    paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();
  const from = svg.querySelectorAll('*'), to = copy.querySelectorAll('*');
  from.forEach((one, index) => {
    const style = getComputedStyle(one);
    for (const name of SHAPE_STYLE) to[index].setAttribute(name, style.getPropertyValue(name));
    to[index].removeAttribute('class');
  });
  const picture = document.createElementNS(SVG, 'svg'), inside = document.createElementNS(SVG, 'g');
  for (const [name, value] of Object.entries({ xmlns: SVG, viewBox: `0 0 ${width} ${whole}`, width, height: whole })) {
    picture.setAttribute(name, value);
  }
  inside.setAttribute('transform', `translate(0 ${TITLE_HEIGHT})`);
  inside.append(...copy.childNodes);
  const line = (y, size, weight, text) =>
    shape(picture, 'text', {
      x: 12,
      y,
      'font-size': size,
      'font-weight': weight,
      'font-family': page.fontFamily,
      fill: page.color,
    }, text);
  shape(picture, 'rect', { width, height: whole, fill: paper || page.backgroundColor });
  line(22, 15, 600, cut(title, Math.floor(width / 8.5)));
  picture.append(inside);
  line(whole - 9, 11, 400, cut(sourceWords(), Math.floor(width / 6)));
  return { width, height: whole, text: new XMLSerializer().serializeToString(picture) };
};

/** Downloads a picture as pixels. */
const downloadPNG = async (name, { width, height, text }) => {
  const image = new Image(), canvas = element('canvas');
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
  await image.decode();
  Object.assign(canvas, { width: width * SHARPNESS, height: height * SHARPNESS });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => download(name, 'image/png', blob));
};

/** A cell for a table of another program, which must not take a text for a formula. */
const csvCell = (text) => {
  const plain = text.trim().replace(/\s+/g, ' ');
  const safe = /^[=+\-@＝＋－＠]/.test(plain) && !/^[+-]?[\d.,]+( ?%)?$/.test(plain) ? `'${plain}` : plain;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
/** All rows of a table, also those of its other pages, with title and source. */
const csvOf = (table, title) => {
  const paged = typeof storyTable === 'undefined' ? null : [storyTable, trackTable].find((one) => one?.id === table.id);
  const rows = paged
    ? paged.found().map((row) => paged.row(row))
    : [...table.tBodies].flatMap((body) => [...body.rows]);
  const line = (row) =>
    [...row.cells].filter((cell) => !cell.hidden)
      .map((cell) => csvCell(cell.textContent.replace(/(\d)\u202f(?=\d)/g, '$1'))).join(',');
  const heads = table.tHead ? [...table.tHead.rows].map(line) : [];
  return ['\ufeff# ' + title, '# ' + sourceWords(), ...heads, ...rows.map(line)].join('\r\n') + '\r\n';
};

/** Puts buttons below a chart or a table. */
const offer = (place, what, kinds) => {
  const row = element('p', undefined, 'take');
  row.append(element('span', 'Save as'));
  for (const [kind, save] of kinds) {
    const button = element('button', kind.toUpperCase());
    button.type = 'button';
    button.setAttribute('aria-label', `Save ${what} as ${kind.toUpperCase()}`);
    button.addEventListener('click', save);
    row.append(' ', button);
  }
  place.after(row);
};

/** Offers every chart and every table of the page. Called once the page is built. */
const offerDownloads = () => {
  for (const svg of document.querySelectorAll('svg[role=img]')) {
    // A row of dots has its words beside it.
    if (svg.closest('.dots')) continue;
    const title = chartTitle(svg), place = svg.parentElement;
    // A plot is drawn again when its width changes.
    const now = () => pictureOf(place.querySelector(':scope > svg') ?? svg, title);
    offer(svg, `the chart “${title}”`, [['svg', () => download(fileName(title, 'svg'), 'image/svg+xml', now().text)], [
      'png',
      () => downloadPNG(fileName(title, 'png'), now()),
    ]]);
  }
  for (const table of document.querySelectorAll('main table')) {
    if (table.closest('#detail')) continue;
    const title = tableTitle(table);
    offer(table.closest('.scroll') ?? table, `the table “${title}”`, [[
      'csv',
      () => download(fileName(title, 'csv'), 'text/csv', csvOf(table, title)),
    ]]);
  }
};
