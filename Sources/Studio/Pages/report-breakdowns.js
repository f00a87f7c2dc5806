// When and where alerts come, and how fast, how late and how long: a small plot for each, with its numbers.

/** A figure with a title, a sentence, a plot and a table that opens. */
const addFigure = (title, sentence, label, draw, caption, heads, rows) => {
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

/** Counts by something that has an order. */
const countFigure = (title, sentence, axis, heads, items, shorts) => {
  if (!items.some(([, value]) => value)) return;
  addFigure(title, sentence, title, (svg, box) => drawColumns(svg, box, items.map(([, value]) => value), shorts,
    items.map(([name, value]) => `${name}: ${count(value)}`), axis), title, heads,
    items.map(([name, ...values]) => [name, ...values.map(count)]));
};

/** The value in the middle of a bin of the totals' distributions. */
const binMiddle = bin => bin === 0 ? 0 : Math.sign(bin) * .1 * Math.exp((Math.abs(bin) - .5) * .05);
const SPANS = 16;

/** A distribution, in spans of equal width up to where nearly all values are. */
const spreadFigure = (title, sentence, spread, factor, unit) => {
  if (!spread?.count) return;
  const values = spread.counts.map((times, index) => [binMiddle(spread.first + index) * factor, times])
    .filter(([, times]) => times);
  let seen = 0;
  const far = values.find(([, times]) => (seen += times) >= spread.count * .95)[0];
  const step = niceStep(Math.max(far, .5) * 1.02, SPANS), spans = Math.ceil(Math.max(far, .5) / step) + 1;
  const counts = Array(spans).fill(0);
  for (const [value, times] of values) counts[Math.min(spans - 1, Math.floor(value / step))] += times;
  const tidy = value => String(+value.toPrecision(3));
  const nameOf = index => index === spans - 1 ? `${tidy(index * step)} ${unit} or more`
    : `${tidy(index * step)} to ${tidy((index + 1) * step)} ${unit}`;
  const draw = (svg, box) => {
    drawColumns(svg, box, counts, counts.map((_, index) => tidy(index * step)), counts.map((value, index) =>
      `${nameOf(index)}: ${count(value)}`), unit, 0);
    for (const [name, value] of [['median', spread.median], ['90 %', spread.p90]]) {
      const x = box.left + Math.min(spans - .5, value * factor / step) / spans * (box.right - box.left);
      shape(svg, 'line', { x1: x, x2: x, y1: box.top - 4, y2: box.bottom, class: 'marker' });
      const isRight = x > (box.left + box.right) / 2;
      shape(svg, 'text', { x: x + (isRight ? -4 : 4), y: box.top + (name === 'median' ? 4 : 18),
        'text-anchor': isRight ? 'end' : 'start', class: 'strong' }, `${name} ${tidy(value * factor)} ${unit}`);
    }
  };
  addFigure(title, sentence, `${title}: median ${tidy(spread.median * factor)} ${unit}, 90th percentile `
    + `${tidy(spread.p90 * factor)} ${unit}`, draw, title, ['', 'Number'], counts.map((value, index) =>
    [nameOf(index), count(value)]));
};

/** Seconds, or minutes where that reads better. */
const spreadOfSeconds = (title, sentence, spread) =>
  spreadFigure(title, sentence, spread, spread?.p90 > 300 ? 1 / 60 : 1, spread?.p90 > 300 ? 'min' : 's');

/** The stories' categories by alerts, as bars from the left: their names are long. */
const categoryFigure = byCategory => {
  const all = Object.entries(byCategory).map(([name, alerts]) => [name || 'without a category', alerts]);
  if (all.length < 2) return;
  const shown = all.slice(0, 8), rest = all.slice(8).reduce((sum, [, alerts]) => sum + alerts, 0);
  if (rest) shown.push([`${all.length - 8} others`, rest]);
  const most = Math.max(...shown.map(([, alerts]) => alerts));
  const draw = (svg, { right, height }) => {
    const left = 130, line = Math.min(26, (height - 8) / shown.length);
    shown.forEach(([name, alerts], index) => {
      const y = 6 + index * line, width = Math.max(1, alerts / most * (right - left - 44));
      const short = name.length > 18 ? name.slice(0, 17) + '…' : name;
      const words = shape(svg, 'text', { x: left - 8, y: y + line * .62, 'text-anchor': 'end' }, short);
      shape(words, 'title', {}, name);
      shape(svg, 'rect', { x: left, y: y + 2, width, height: line - 5, class: 'column' });
      shape(svg, 'text', { x: left + width + 6, y: y + line * .62 }, count(alerts));
    });
  };
  addFigure('By category', 'Alerts by category of the story.', 'Alerts by category', draw, 'Alerts by category',
    ['Category', 'Alerts'], all.map(([name, alerts]) => [name, count(alerts)]));
};

if (data.totals) (() => {
  const { totals } = data, two = number => String(number).padStart(2, '0');
  countFigure('By hour', `Alerts by hour of the day, ${zoneName}.`, '', ['Hour', 'Alerts'],
    totals.alertsByHour.map((alerts, hour) => [`${two(hour)}:00–${two(hour)}:59`, alerts]),
    totals.alertsByHour.map((_, hour) => String(hour)));
  const names = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  countFigure('By weekday', 'Alerts by day of the week; the numbers have the days on which tracks were recorded too.',
    '', ['Weekday', 'Alerts', 'Days of tracks'], names.map((name, day) =>
      [name, totals.alertsByWeekday[day], totals.trackDaysByWeekday[day]]), names.map(name => name.slice(0, 3)));
  const months = Object.keys(totals.alertsByMonth);
  countFigure('By month', 'Alerts by month; the numbers have the days on which tracks were recorded too.', '',
    ['Month', 'Alerts', 'Days of tracks'], months.map(month =>
      [month, totals.alertsByMonth[month], totals.trackDaysByMonth[month]]), months);
  categoryFigure(totals.alertsByCategory);
  spreadFigure('Speed at the alert', 'How fast the device was, as its receiver says or from fix to fix.',
    totals.alertSpeed, 3.6, 'km/h');
  spreadOfSeconds('How late', 'Of late entries: how long after the edge a refresh found the device inside.',
    totals.lateness);
  spreadOfSeconds('Inside', 'How long a path was inside a circle that it entered: what a phone has to notice it.',
    totals.inside);
  spreadOfSeconds('Inside after the alert', 'How long people stayed in the circle after its alert.', totals.dwell);
})();
