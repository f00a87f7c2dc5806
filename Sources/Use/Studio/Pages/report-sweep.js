// Plots of what other settings would lose: recall against lookups, alerts and each value that was
// tried.

const rows = data.sweep || [];

/** A setting in a few words. */
const settingName = (row) => {
  const places = row.limit === null ? 'every circle' : `${row.limit} circles`;
  return row.refresh === 'adaptive'
    ? `${places}, adaptive`
    : row.significantChange == null
    ? places
    : `${places} by ${row.rank}, ${row.significantChange} m`;
};
const rateOf = (value) => value == null ? '–' : value.toFixed(2);

/**
 * Draws recall against lookups per kilometer, with the size of dots by alerts per hour, and marks
 * the best settings.
 */
const frontierPlot = () => {
  const usable = rows.filter((row) => row.recall != null && row.refreshesPerKilometer > 0);
  if (!usable.length) {
    $('frontier').hidden = true;
    return;
  }
  const hours = usable.map((row) => row.alertsPerHour).filter((value) => value != null);
  const [fewest, most] = [Math.min(...hours), Math.max(...hours)];
  // The area is proportional, so that similar settings look similar.
  const sizeOf = (row) =>
    row.alertsPerHour == null || !(most > 0) ? 6 : Math.max(3, 9 * Math.sqrt(row.alertsPerHour / most));
  const costs = usable.map((row) => row.refreshesPerKilometer);
  // Settings differ by factors, so the axis is logarithmic.
  const low = Math.log(Math.min(...costs) / 1.25), high = Math.log(Math.max(...costs) * 1.25);
  addPlot(
    $('frontier-plot'),
    'Recall against lookups per kilometer. The table below has the numbers.',
    400,
    (svg, { top, ...sides }) => {
      const box = { ...sides, top: top + 12 };
      const across = (cost) => box.left + (Math.log(cost) - low) / (high - low) * (box.right - box.left);
      const least = Math.min(...usable.map((row) => row.recall)), floor = Math.min(.9, Math.floor(least * 10) / 10);
      const up = (recall) => box.bottom - (recall - floor) / (1 - floor) * (box.bottom - box.top);
      const ticks = [];
      for (let tenth = Math.round(floor * 10); tenth <= 10; tenth++) ticks.push([tenth / 10, `${tenth * 10} %`]);
      axes(svg, box, ticks, up, 'lookups per kilometer, which cost battery power');
      const steps = [1, 2, 5].flatMap((f) => [-3, -2, -1, 0, 1, 2, 3].map((power) => f * 10 ** power))
        .filter((cost) => Math.log(cost) > low && Math.log(cost) < high).sort((a, b) => a - b);
      for (const cost of steps) {
        shape(svg, 'line', { x1: across(cost), x2: across(cost), y1: box.top, y2: box.bottom, class: 'grid' });
        shape(
          svg,
          'text',
          { x: across(cost), y: box.bottom + 17, 'text-anchor': 'middle' },
          String(+cost.toPrecision(2)),
        );
      }
      const frontier = usable.filter((row) => row.frontier)
        .sort((a, b) => a.refreshesPerKilometer - b.refreshesPerKilometer);
      // Between two settings, the cheaper one has the best recall.
      const corners = frontier.flatMap((row, index) => {
        const x = across(row.refreshesPerKilometer), y = up(row.recall);
        return index ? [[x, up(frontier[index - 1].recall)], [x, y]] : [[x, y]];
      });
      shape(svg, 'polyline', { points: corners.map((point) => point.join()).join(' '), class: 'frontier' });
      for (const row of [...usable].sort((a, b) => sizeOf(b) - sizeOf(a))) {
        const dot = shape(svg, 'circle', {
          cx: across(row.refreshesPerKilometer),
          cy: up(row.recall),
          r: sizeOf(row),
          class: `setting${row.frontier ? ' best' : ''}${row.allowed === false ? ' barred' : ''}`,
        });
        shape(
          dot,
          'title',
          {},
          `${settingName(row)}: recall ${percent(row.foundAlerts, row.oracleAlerts)}, ` +
            `${rateOf(row.refreshesPerKilometer)} lookups per kilometer, ${rateOf(row.alertsPerHour)} alerts per hour`,
        );
      }
      const cheapest = usable.find((row) => row.cheapest);
      if (cheapest) {
        const x = across(cheapest.refreshesPerKilometer), y = up(cheapest.recall);
        const words = `cheapest: ${settingName(cheapest)}`;
        shape(svg, 'circle', { cx: x, cy: y, r: sizeOf(cheapest) + 5, class: 'ringed' });
        const text = shape(svg, 'text', { x: x + 20, y: y + 24, class: 'strong label' }, words);
        const beyond = x + 20 + text.getComputedTextLength() - box.right;
        if (beyond > 0) text.setAttribute('x', Math.max(box.left + 4, x + 20 - beyond));
      }
    },
  );
  $('frontier-sizes').textContent = hours.length && most > fewest
    ? `The larger a dot, the more alerts per hour: ${rateOf(fewest)} to ${rateOf(most)}.`
    : '';
};

/** Draws recall against one of the values, with a line for each combination of the others. */
const valuePlot = (id, title, label, key, nameOf) => {
  const usable = rows.filter((row) => row[key] != null && row.recall != null);
  const xs = [...new Set(usable.map((row) => row[key]))].sort((a, b) => a - b);
  if (!xs.length) {
    $(id).parentElement.hidden = true;
    return;
  }
  const groups = new Map();
  for (const row of usable) {
    if (!groups.has(nameOf(row))) groups.set(nameOf(row), []);
    groups.get(nameOf(row)).push(row);
  }
  // The adaptive rule comes first, as the reference for the others.
  const names = [...groups.keys()].sort((a, b) => (b === 'adaptive') - (a === 'adaptive'));
  const least = Math.min(...usable.map((row) => row.recall)), low = Math.floor(Math.min(least, .9) * 10) / 10;
  addPlot($(id), title + '. The table below has the numbers.', 320, (svg, box) => {
    const place = (value) => box.bottom - (value - low) / (1 - low || 1) * (box.bottom - box.top);
    const ticks = [];
    for (let tenth = Math.round(low * 10); tenth <= 10; tenth++) ticks.push([tenth / 10, `${tenth * 10} %`]);
    axes(svg, box, ticks, place, label);
    // Values are often multiples of each other, so space them evenly.
    const across = (value) =>
      xs.length === 1
        ? (box.left + box.right) / 2
        : box.left + 26 + xs.indexOf(value) / (xs.length - 1) * (box.right - box.left - 52);
    wordsBelow(svg, box, xs.map(String), (index) => across(xs[index]));
    names.forEach((name, number) => {
      const points = groups.get(name).sort((a, b) => a[key] - b[key])
        .map((row) => [across(row[key]), place(row.recall), row]);
      const series = `series-${number % SERIES}`;
      shape(svg, 'polyline', {
        points: points.map((p) => `${p[0]},${p[1]}`).join(' '),
        class: `series ${series}`,
        'stroke-dasharray': DASHES[number % DASHES.length],
      });
      for (const [x, y, row] of points) {
        const dot = shape(svg, 'circle', { cx: x, cy: y, r: 4, class: `dot ${series}` });
        shape(dot, 'title', {}, `${name}, ${row[key]}: ${(row.recall * 100).toFixed(1)} %`);
      }
    });
  });
  const list = element('ul', undefined, 'legend');
  list.append(...names.map((name, number) => lineKey(number, name)));
  $(id).append(list);
};

if (rows.length) {
  frontierPlot();
  const rule = (row) => row.refresh === 'adaptive' ? 'adaptive' : `${row.rank}, ${row.significantChange} m`;
  valuePlot('limit-plot', 'Recall against the limit', 'circles watched at a time', 'limit', rule);
  valuePlot(
    'threshold-plot',
    'Recall against the significant change',
    'significant change in meters',
    'significantChange',
    (row) => `${row.limit} circles, ${row.rank}`,
  );
  tableOf(
    $('sweep-table'),
    'All settings, with the cheapest one that loses nothing marked',
    ['Lookup', 'Limit', 'After', 'Rank', 'Recall', 'Late', 'Missed', 'Lookups/km', 'Alerts/hour', 'Alerts/walk', ''],
    rows.map(
      (row) => [
        row.refresh,
        row.limit ?? 'none',
        row.significantChange == null ? '–' : row.significantChange + ' m',
        row.rank,
        row.recall == null ? '–' : percent(row.foundAlerts, row.oracleAlerts),
        count(row.late),
        count(row.missed),
        rateOf(row.refreshesPerKilometer),
        rateOf(row.alertsPerHour),
        rateOf(row.alertsPerTrack),
        row.cheapest
          ? element('span', 'cheapest that loses nothing', 'good')
          : row.frontier
          ? element('span', 'on the frontier', 'dim')
          : '',
      ],
    ),
  );
}
