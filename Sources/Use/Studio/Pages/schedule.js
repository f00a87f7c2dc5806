// The page of a schedule: what a phone holds on each day, what waits, and what is lost and why.
(() => {
  const data = JSON.parse($('data').textContent), { kinds, names, reasons, slots } = data;
  const sum = (counts) => counts.reduce((a, b) => a + b, 0);
  const strategies = data.strategies.map((one) => ({
    ...one,
    days: one.days.map(([minute, due, late, lost, pending, waiting]) => (
      { minute, due, late, lost, pending, waiting: sum(waiting), held: sum(pending) }
    )),
  }));
  const dayCount = strategies[0].days.length;
  const formatted = (parts) => {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...parts });
    return (day) => format.format((data.firstDay + day) * 86400000);
  };
  const longDate = formatted({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const shortDate = formatted({ day: 'numeric', month: 'short' });
  const isoDate = (day) => new Date((data.firstDay + day) * 86400000).toISOString().slice(0, 10);
  const clock = (minute) =>
    [minute / 60 % 24, minute % 60].map((n) => String(Math.floor(n)).padStart(2, '0')).join(':');
  const ofSlots = slots === null ? '' : ` of ${slots}`;

  // The charts.

  const CHART = 212, LANE = 26, LEFT = 62;
  const seriesOf = (kind) => `amount series-${kind % SERIES}`;
  const mostOf = (value) => Math.max(1, ...strategies.flatMap((one) => one.days.map(value)));
  const most = {
    held: Math.max(slots ?? 1, mostOf((day) => day.held)),
    waiting: mostOf((day) => day.waiting),
    lost: mostOf((day) => day.lost),
  };
  /** What each strategy does, in a few words. */
  const MEANINGS = {
    naive: 'everything at once',
    'first-come': 'until the phone is full',
    budget: 'the most important first',
    window: 'seven days at a time',
  };
  const titleOf = (name) => MEANINGS[name] ? `${name}: ${MEANINGS[name]}` : name;
  const cursors = [];
  let chosen = 0;

  const item = (look, text) => {
    const made = element('li'), block = element('span', undefined, `block ${look}`);
    block.setAttribute('aria-hidden', 'true');
    made.append(block, ' ' + text);
    return made;
  };
  $('legend').append(
    ...kinds.map((kind, index) => item(seriesOf(index), kinds.length === 1 ? 'held by the phone' : kind)),
    item('amount waits', 'waits for room'),
    item('amount lost', 'never shown'),
  );

  /** Draws columns as one shape; `spans` has the lower and the upper end of each, in pixels. */
  const columns = (svg, box, look, spans) => {
    const width = (box.right - box.left) / dayCount, gap = width > 4 ? 1 : 0;
    const path = spans.map(([low, high], day) =>
      low - high < .01
        ? ''
        : `M${(box.left + day * width).toFixed(2)} ${low.toFixed(2)}h${(width - gap).toFixed(2)}V${high.toFixed(2)}` +
          `h${(gap - width).toFixed(2)}z`
    ).join('');
    if (path) shape(svg, 'path', { d: path, class: look });
  };
  const drawChart = (one, number, svg, whole) => {
    // Below the pending requests are two lanes, for what waits and what is lost.
    const box = { ...whole, bottom: whole.bottom - 2 * LANE - 8 };
    const place = (value) => box.bottom - value / most.held * (box.bottom - box.top);
    const ticks = slots === null
      ? countTicks(most.held).filter(([value]) => value <= most.held)
      : [0, slots / 2, slots].map((value) => [value, String(Math.round(value))]);
    axes(svg, box, ticks, place);
    const bases = one.days.map(() => 0);
    kinds.forEach((_, kind) =>
      columns(
        svg,
        box,
        seriesOf(kind),
        one.days.map((day, index) => {
          const base = bases[index];
          bases[index] += day.pending[kind];
          return [place(base), place(bases[index])];
        }),
      )
    );
    [['waiting', 'waits'], ['lost', 'lost']].forEach(([key, word], lane) => {
      const bottom = box.bottom + 4 + (lane + 1) * (LANE + 2);
      shape(svg, 'text', { x: box.left - 8, y: bottom - 3, 'text-anchor': 'end' }, word);
      shape(svg, 'line', { x1: box.left, x2: box.right, y1: bottom, y2: bottom, class: 'grid' });
      columns(
        svg,
        box,
        `amount ${word}`,
        one.days.map((day) => [bottom, day[key] ? bottom - Math.max(2, day[key] / most[key] * (LANE - 12)) : bottom]),
      );
      // The lanes have a scale each, so that each says its largest number.
      const largest = Math.max(...one.days.map((day) => day[key]));
      if (largest) {
        shape(
          svg,
          'text',
          { x: box.right, y: bottom - LANE + 10, 'text-anchor': 'end', class: 'strong' },
          `up to ${count(largest)} a day`,
        );
      }
    });
    wordsBelow(
      svg,
      whole,
      one.days.map((_, day) => shortDate(day)),
      (day) => box.left + (day + .5) * (box.right - box.left) / dayCount,
    );
    cursors[number] = {
      box,
      bar: shape(svg, 'rect', { y: box.top - 6, height: whole.bottom - box.top + 8, class: 'cursor' }),
    };
    placeCursor(number);
  };
  const placeCursor = (number) => {
    const { box, bar } = cursors[number], width = (box.right - box.left) / dayCount;
    const wide = Math.max(width, 3), middle = box.left + (chosen + .5) * width;
    bar.setAttribute('x', (middle - wide / 2).toFixed(2));
    bar.setAttribute('width', wide.toFixed(2));
  };

  /** The day under a pointer. */
  const dayAt = (event, number) => {
    const { box } = cursors[number], frame = event.currentTarget.querySelector('svg').getBoundingClientRect();
    // The view box ends 16 units right of the plot.
    const x = (event.clientX - frame.left) / frame.width * (box.right + 16);
    return Math.floor((x - box.left) / (box.right - box.left) * dayCount);
  };
  strategies.forEach((one, number) => {
    const figure = element('figure'), losses = sum(one.days.map((day) => day.lost));
    figure.append(element('h3', titleOf(one.name)));
    const plot = element('div');
    figure.append(plot);
    $('charts').append(figure);
    addPlot(
      plot,
      `${one.name}: pending requests on each of ${count(dayCount)} days, at most ` +
        `${count(Math.max(...one.days.map((day) => day.held)))}${ofSlots}. ${count(losses)} lost in all.`,
      CHART,
      (svg, box) => drawChart(one, number, svg, box),
      LEFT,
      1400,
    );
    const scrub = (event) => choose(dayAt(event, number));
    plot.addEventListener('pointerdown', scrub);
    plot.addEventListener('pointermove', (event) => {
      if (event.buttons) scrub(event);
    });
    plot.addEventListener('pointerup', () => writeAddress());
  });

  // The chosen day.

  /** A reminder's title and id, and the one that it is behind. */
  const nameOf = (index, behind) => {
    const [id, title] = names[index], made = element('span');
    made.append(element('bdi', cut(title || id, MOST_TITLE)));
    if (title) made.append(' ', element('span', `(${id})`, 'dim'));
    if (behind !== null && behind !== undefined) made.append(', behind ', nameOf(behind));
    return made;
  };
  const list = (rows) => {
    const made = element('ul', undefined, 'plain');
    for (const parts of rows) {
      const row = element('li');
      row.append(...parts);
      made.append(row);
    }
    return made;
  };
  const more = (all, named) => all > named ? [element('p', `And ${count(all - named)} more.`, 'dim')] : [];
  const firing = (minute) =>
    minute === -1
      ? 'at its circle'
      : minute === -2
      ? 'repeats'
      : `${shortDate(Math.floor(minute / 1440))} ${clock(minute)}`;

  /** The losses of a day under the reason for each. */
  const lossesOn = (one, day) => {
    const rows = one.lost.filter(([, minute]) => Math.floor(minute / 1440) === day), made = [];
    if (rows.length) made.push(element('h4', 'Never shown'));
    for (const reason of new Set(rows.map((row) => row[2]))) {
      const line = element('p', reasons[reason][1]);
      made.push(
        line,
        list(
          rows.filter((row) => row[2] === reason)
            .map(([name, minute, , behind]) => [`${clock(minute)} `, nameOf(name, behind)]),
        ),
      );
    }
    return [...made, ...more(one.days[day].lost, rows.length)];
  };
  /** Which lists are open, also on the next day. */
  const open = {};
  const folded = (name, title, parts) => {
    const made = element('details');
    made.open = open[name] ?? false;
    made.addEventListener('toggle', () => {
      open[name] = made.open;
    });
    made.append(element('summary', title), ...parts);
    return [made];
  };
  const waitingOn = (one, day) => {
    const rows = one.waiting.filter((row) => row[0] === day), all = one.days[day].waiting, made = [];
    if (!rows.length) return [];
    for (const behind of new Set(rows.map((row) => row[2]))) {
      const line = element('p', behind === null ? 'Behind others:' : 'Behind ');
      if (behind !== null) line.append(nameOf(behind), ':');
      made.push(line, list(rows.filter((row) => row[2] === behind).map((row) => [nameOf(row[1])])));
    }
    return folded('waiting', `Waiting: ${count(all)}`, [...made, ...more(all, rows.length)]);
  };
  const pendingOn = (one, day) => {
    const rows = one.pending.filter(([, , first, last]) => first <= day && day <= last)
      .sort((a, b) => a[1] - b[1]);
    if (!rows.length) return [];
    const byKind = one.days[day].pending.flatMap((n, kind) => n ? [`${kinds[kind]} ${count(n)}`] : []);
    return folded('pending', `Pending: ${byKind.join(', ')}`, [
      list(rows.map(([name, minute]) => [`${firing(minute)} `, nameOf(name)])),
      ...more(one.days[day].held, rows.length),
    ]);
  };
  const describe = (one, day) => {
    const made = element('div'), today = one.days[day];
    made.append(
      element('h3', titleOf(one.name)),
      element('p', `${count(today.held)}${ofSlots} pending at ${clock(today.minute)}`),
      element('p', `${count(today.due)} due, ${count(today.late)} late, ${count(today.lost)} never shown`),
      ...lossesOn(one, day),
      ...waitingOn(one, day),
      ...pendingOn(one, day),
    );
    return made;
  };

  // Choosing a day.

  const choose = (day) => {
    chosen = Math.min(Math.max(day, 0), dayCount - 1);
    const slider = $('day');
    slider.value = chosen;
    $('date').textContent = longDate(chosen);
    slider.setAttribute(
      'aria-valuetext',
      `${longDate(chosen)}. ` +
        strategies.map((one) => `${one.name}: ${count(one.days[chosen].lost)} lost`).join(', '),
    );
    cursors.forEach((_, number) => placeCursor(number));
    $('chosen-day').replaceChildren(...strategies.map((one) => describe(one, chosen)));
  };
  const writeAddress = () => history.replaceState(null, '', '#day=' + isoDate(chosen));
  const isLossy = (day) => strategies.some((one) => one.days[day].lost);
  const nextLoss = (after) => {
    for (let step = 1; step <= dayCount; step++) {
      if (isLossy((after + step + dayCount) % dayCount)) return (after + step + dayCount) % dayCount;
    }
    return after;
  };
  /** Shows the day of the page's address; returns whether it has one. */
  const followAddress = () => {
    const [, date] = /^#day=(\d{4}-\d\d-\d\d)$/.exec(location.hash) ?? [];
    if (date) choose(Math.round(Date.parse(date) / 86400000) - data.firstDay);
    return Boolean(date);
  };

  $('day').max = dayCount - 1;
  $('day').addEventListener('input', (event) => choose(Number(event.target.value)));
  $('day').addEventListener('change', writeAddress);
  $('next-loss').hidden = ![...Array(dayCount).keys()].some(isLossy);
  $('next-loss').addEventListener('click', () => {
    choose(nextLoss(chosen));
    writeAddress();
  });
  addEventListener('hashchange', followAddress);
  for (const draw of plots) draw();
  offerDownloads();
  if (!followAddress()) choose(Math.max(0, nextLoss(-1)));
  document.documentElement.dataset.ready = 'true';
})();
