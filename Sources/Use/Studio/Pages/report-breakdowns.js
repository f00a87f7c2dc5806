// Small plots of when alerts come, at what speed, how late entries are and how long stays last.

/**
 * Adds a figure: a title, a sentence, a plot, and its numbers as a table that opens.
 *
 * All figures are about the entries of a perfect phone, which their titles say beside simulated phones.
 */
const addFigure = (name, sentence, label, draw, caption, heads, rows) => {
  const title = phones.length ? `${name}, on a perfect phone` : name;
  const figure = element('figure'), words = element('figcaption'), place = element('div');
  words.append(element('h3', title), element('p', sentence, 'dim'));
  const numbers = element('details'), box = element('div', undefined, 'scroll');
  box.tabIndex = 0;
  numbers.append(element('summary', 'Numbers'), box);
  tableOf(box, caption, heads, rows);
  figure.append(words, place, numbers);
  $('figures').append(figure);
  addPlot(place, `${label}; the numbers are below.`, 210, draw);
};

/** Adds a figure of counts in a given order. */
const countFigure = (title, sentence, axis, heads, items, shorts) => {
  if (!items.some(([, value]) => value)) return;
  addFigure(
    title,
    sentence,
    title,
    (svg, box) =>
      drawColumns(
        svg,
        box,
        items.map(([, value]) => value),
        shorts,
        items.map(([name, value]) => `${name}: ${count(value)}`),
        axis,
      ),
    title,
    heads,
    items.map(([name, ...values]) => [name, ...values.map(count)]),
  );
};

/** The middle value of a bin of a distribution. */
const binMiddle = (bin) => bin === 0 ? 0 : Math.sign(bin) * .1 * Math.exp((Math.abs(bin) - .5) * .05);
const SPANS = 16;

/** Adds a figure of a distribution, in equal spans that cover 95 % of the values. */
const spreadFigure = (title, sentence, spread, factor, unit) => {
  if (!spread?.count) return;
  const values = spread.counts.map((times, index) => [binMiddle(spread.first + index) * factor, times])
    .filter(([, times]) => times);
  let seen = 0;
  const far = values.find(([, times]) => (seen += times) >= spread.count * .95)[0];
  const step = niceStep(Math.max(far, .5) * 1.02, SPANS), spans = Math.ceil(Math.max(far, .5) / step) + 1;
  const counts = Array(spans).fill(0);
  for (const [value, times] of values) counts[Math.min(spans - 1, Math.floor(value / step))] += times;
  const tidy = (value) => String(+value.toPrecision(3));
  const nameOf = (index) =>
    index === spans - 1
      ? `${tidy(index * step)} ${unit} or more`
      : `${tidy(index * step)} to ${tidy((index + 1) * step)} ${unit}`;
  const draw = (svg, box) => {
    drawColumns(
      svg,
      box,
      counts,
      counts.map((_, index) => tidy(index * step)),
      counts.map((value, index) => `${nameOf(index)}: ${count(value)}`),
      unit,
      0,
    );
    for (const [name, value] of [['median', spread.median], ['90 %', spread.p90]]) {
      const x = box.left + Math.min(spans - .5, value * factor / step) / spans * (box.right - box.left);
      shape(svg, 'line', { x1: x, x2: x, y1: box.top - 4, y2: box.bottom, class: 'marker' });
      const isRight = x > (box.left + box.right) / 2;
      shape(svg, 'text', {
        x: x + (isRight ? -4 : 4),
        y: box.top + (name === 'median' ? 4 : 18),
        'text-anchor': isRight ? 'end' : 'start',
        class: 'strong',
      }, `${name} ${tidy(value * factor)} ${unit}`);
    }
  };
  addFigure(
    title,
    sentence,
    `${title}: median ${tidy(spread.median * factor)} ${unit}, 90th percentile ` +
      `${tidy(spread.p90 * factor)} ${unit}`,
    draw,
    title,
    ['', 'Number'],
    counts.map((value, index) => [nameOf(index), count(value)]),
  );
};

/** Adds a distribution of seconds, shown in minutes if many are long. */
const spreadOfSeconds = (title, sentence, spread) =>
  spreadFigure(title, sentence, spread, spread?.p90 > 300 ? 1 / 60 : 1, spread?.p90 > 300 ? 'min' : 's');

/** Adds alerts by category as horizontal bars, because names of categories are long. */
const categoryFigure = (byCategory) => {
  const all = Object.entries(byCategory).map(([name, alerts]) => [name || 'no category', alerts]);
  if (all.length < 2) return;
  const shown = all.slice(0, 8), rest = all.slice(8).reduce((sum, [, alerts]) => sum + alerts, 0);
  if (rest) shown.push([`${all.length - 8} others`, rest]);
  const most = Math.max(...shown.map(([, alerts]) => alerts));
  const draw = (svg, { right, height }) => {
    const left = 130, line = Math.min(26, (height - 8) / shown.length);
    shown.forEach(([name, alerts], index) => {
      const y = 6 + index * line, width = Math.max(1, alerts / most * (right - left - 44));
      const words = shape(svg, 'text', { x: left - 8, y: y + line * .62, 'text-anchor': 'end' });
      words.textContent = cutToWidth(name, left - 10, (text) => {
        words.textContent = text;
        return words.getComputedTextLength();
      });
      shape(words, 'title', {}, name);
      shape(svg, 'rect', { x: left, y: y + 2, width, height: line - 5, class: 'column' });
      shape(svg, 'text', { x: left + width + 6, y: y + line * .62 }, count(alerts));
    });
  };
  addFigure('By category', 'Alerts by the story’s category.', 'Alerts by category', draw, 'Alerts by category', [
    'Category',
    'Alerts',
  ], all.map(([name, alerts]) => [name, count(alerts)]));
};

/** Fewer walks than this say too little for a chart of hours or months, so that the charts begin folded. */
const LEAST_WALKS = 50;
const foldFigures = () => {
  const figures = $('figures');
  if (!figures.children.length || (data.tracks ?? []).length >= LEAST_WALKS) return;
  const fold = element('details');
  fold.append(element('summary', 'Charts for analysts'));
  figures.before(fold);
  fold.append(figures);
  // Folded plots have no width.
  fold.addEventListener('toggle', () => {
    for (const draw of plots) draw();
  });
};

if (data.totals) {
  (() => {
    const { totals } = data, two = (number) => String(number).padStart(2, '0');
    countFigure(
      'By hour',
      'Alerts by hour of the day.',
      '',
      ['Hour', 'Alerts'],
      totals.alertsByHour.map((alerts, hour) => [`${two(hour)}:00–${two(hour)}:59`, alerts]),
      totals.alertsByHour.map((_, hour) => String(hour)),
    );
    const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
    countFigure(
      'By weekday',
      'Alerts by day of the week. The numbers also show how many days have walks.',
      '',
      ['Weekday', 'Alerts', 'Days with walks'],
      names.map((name, day) => [name, totals.alertsByWeekday[day], totals.trackDaysByWeekday[day]]),
      names.map((name) => name.slice(0, 3)),
    );
    const months = Object.keys(totals.alertsByMonth);
    countFigure(
      'By month',
      'Alerts by month. The numbers also show how many days have walks.',
      '',
      ['Month', 'Alerts', 'Days with walks'],
      months.map((month) => [month, totals.alertsByMonth[month], totals.trackDaysByMonth[month]]),
      months,
    );
    categoryFigure(totals.alertsByCategory);
    spreadFigure(
      'Speed at the alert',
      'How fast the reader was moving, as recorded or computed from fix to fix.',
      totals.alertSpeed,
      3.6,
      'km/h',
    );
    spreadOfSeconds('How late', 'How long after a late entry a lookup found the reader inside.', totals.lateness);
    spreadOfSeconds(
      'Inside',
      'How long readers stayed in a circle they entered. A phone must notice the entry within this time.',
      totals.inside,
    );
    spreadOfSeconds('Inside after the alert', 'How long readers stayed in the circle after its alert.', totals.dwell);
    foldFigures();
  })();
}
