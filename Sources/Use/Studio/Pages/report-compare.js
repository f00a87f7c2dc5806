// Compares two analyses: the differences with their intervals, and the stories gained and lost.

/** A number with decimals, rounded as the terminal rounds it. */
const rounded = (value, decimals) => (Math.round(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
/** A difference with its sign. */
const signed = (value, isShare) => {
  const text = rounded(Math.abs(value) * (isShare ? 100 : 1), isShare ? 1 : 2);
  return `${Number(text) === 0 ? '' : value < 0 ? '−' : '+'}${text}${isShare ? ' points' : ''}`;
};
const valueOf = (value, isShare) => value == null ? '–' : isShare ? `${rounded(value * 100, 1)} %` : rounded(value, 2);

/** Draws a difference as a dot on its interval, with a line at zero. */
const intervalPlot = (place, measure, isShare, label) => {
  const [low, high] = measure.interval;
  addPlot(place, label, 74, (svg, box) => {
    const reach = Math.max(Math.abs(low), Math.abs(high), Math.abs(measure.difference), 1e-9) * 1.12;
    const across = (value) => box.left + (value + reach) / (2 * reach) * (box.right - box.left);
    const y = 26, look = low > 0 || high < 0 ? 'certain' : 'doubtful';
    shape(svg, 'line', { x1: box.left, x2: box.right, y1: y + 18, y2: y + 18, class: 'axis' });
    shape(svg, 'line', { x1: across(0), x2: across(0), y1: 4, y2: y + 18, class: 'marker' });
    shape(svg, 'line', { x1: across(low), x2: across(high), y1: y, y2: y, class: `whisker ${look}` });
    for (const end of [low, high]) {
      shape(svg, 'line', { x1: across(end), x2: across(end), y1: y - 7, y2: y + 7, class: `whisker ${look}` });
    }
    shape(svg, 'circle', { cx: across(measure.difference), cy: y, r: 6, class: `estimate ${look}` });
    const power = 10 ** Math.floor(Math.log10(reach * .75));
    const step = [5, 2, 1].map((f) => f * power).find((one) => one <= reach * .75);
    for (const value of [-step, 0, step]) {
      shape(
        svg,
        'text',
        { x: across(value), y: y + 34, 'text-anchor': 'middle' },
        value ? signed(value, isShare) : '0',
      );
    }
  }, 30);
};

const MEASURES = [['recall', 'Recall', true, 1], ['alertsPerPersonDay', 'Alerts per reader and day', false, 0], [
  'refreshesPerKilometer',
  'Lookups per kilometer',
  false,
  -1,
]];

const measureRow = ([key, title, isShare]) => {
  const measure = comparison[key], row = element('div', undefined, 'measure');
  row.append(element('h3', title));
  const facts = element('dl', undefined, 'pair');
  for (
    const [name, value] of [['A', valueOf(measure.first, isShare)], ['B', valueOf(measure.second, isShare)], [
      'B − A',
      measure.difference == null ? '–' : signed(measure.difference, isShare),
    ]]
  ) {
    facts.append(element('dt', name), element('dd', value));
  }
  row.append(facts);
  const words = element('div', undefined, 'interval');
  if (measure.interval) {
    const [low, high] = measure.interval.map((value) => signed(value, isShare));
    const isCertain = measure.interval[0] > 0 || measure.interval[1] < 0;
    if (measure.difference === 0 && measure.interval.every((end) => end === 0)) {
      words.append(element('p', 'No difference', 'dim'));
      row.append(words);
      return row;
    }
    const sentence = `95 % interval ${low} to ${high}${isCertain ? '' : '. It contains 0, so this may be chance'}`;
    words.append(element('p', sentence, isCertain ? '' : 'dim'));
    intervalPlot(words, measure, isShare, `${title}, B minus A: ${sentence}`);
  } else words.append(element('p', 'no interval: too few walks', 'dim'));
  row.append(words);
  return row;
};

/** Lists the stories that differ in one direction, those with the most walks first. */
const changeList = (id, key, changes) => {
  const isShown = changes.some((one) => one.difference !== undefined), sign = key === 'gained' ? 1 : -1;
  // On a phone, what differs are the alerts that it shows.
  if (isShown) changes = changes.map((one) => ({ ...one, [key]: Math.max(0, sign * one.difference) }));
  const changed = changes.filter((one) => one[key] > 0).sort((a, b) => b[key] - a[key] || (a.place < b.place ? -1 : 1));
  $(id + '-count').textContent = count(changed.length);
  const most = Math.max(...changed.map((one) => one[key]), 1), place = $(id);
  if (!changed.length) {
    place.append(element('p', 'None.', 'dim'));
    return;
  }
  const show = (words) => {
    const found = changed.filter((one) => words.every((word) => one.text.includes(word)));
    const shown = found.slice(0, 200).map((one) => {
      const bar = element('span', undefined, `share ${key}`), cell = element('span', undefined, 'meter');
      bar.style.width = `${one[key] / most * 100}%`;
      cell.append(bar);
      const name = element('bdi', one.title || one.place), both = element('span');
      both.append(cell, isShown ? signed(one.difference, false) : count(one[key]));
      return [
        name,
        both,
        ...isShown
          ? [
            rounded(one.first, 2),
            rounded(one.second, 2),
            one.interval ? one.interval.map((end) => signed(end, false)).join(' to ') : '–',
          ]
          : [count(one.kept)],
      ];
    });
    place.replaceChildren();
    tableOf(
      place,
      found.length > shown.length
        ? `The first ${count(shown.length)} of ${count(found.length)}`
        : `${count(found.length)} of ${count(changed.length)}`,
      isShown ? ['Story', 'Alerts', 'A', 'B', '95 % interval'] : ['Story', 'Walks', 'In both'],
      shown,
    );
  };
  show([]);
  $('changes-search').addEventListener(
    'input',
    (event) => show(event.target.value.toLowerCase().split(/\s+/).filter(Boolean)),
  );
};

const { comparison } = data;
if (comparison) {
  $('measures').append(...MEASURES.filter(([key]) => comparison[key]).map(measureRow));
  // Stories cannot be gained or lost between different walks.
  if (comparison.samples) {
    for (const one of [$('stories-changed'), document.querySelector('a[href="#stories-changed"]')]) one.remove();
  } // What changed for readers comes before the measures.
  else $('numbers').before($('stories-changed'));
  for (const one of data.changes) one.text = `${one.place} ${one.title}`.toLowerCase();
  for (const key of comparison.samples ? [] : ['gained', 'lost']) changeList(key, key, data.changes);
}
