// The panel beside the map, with details of the chosen story, walk or spot.

const MOST_LISTED = 60;

/** The mark of a kind as on the map. */
const markKey = (kind) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  made.setAttribute('viewBox', '0 0 20 20');
  made.setAttribute('class', `key mark-${kind}`);
  made.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute(
    'd',
    {
      alert: 'M3.5 10a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0 -13 0',
      suppressed: 'M10 3 17 10 10 17 3 10Z',
      late: 'M10 3 17 16H3Z',
      missed: 'M4 4 16 16M16 4 4 16',
      crowd: 'M4 4H16V16H4Z',
    }[kind],
  );
  made.append(path);
  return made;
};

/** A list of facts from pairs of a name and a value. */
const factList = (pairs) => {
  const list = element('dl', undefined, 'facts');
  for (const [name, value] of pairs) {
    const cell = element('dd');
    cell.append(value);
    list.append(element('dt', name), cell);
  }
  return list;
};

/** The moments of a story or a walk in order, each with a link to it. */
const momentList = (choice, own, nameOf) => {
  const box = element('div'), list = element('ol', undefined, 'moments');
  const ordered = orderedMoments(own);
  const show = (most) =>
    list.replaceChildren(
      ...ordered.slice(0, most).map((moment, number) => {
        const item = element('li'), link = element('a');
        link.href = addressOf({ ...choice, moment: number });
        if (number === choice.moment) link.setAttribute('aria-current', 'true');
        const name = element('bdi', nameOf(moment));
        const mark = markOf(moment);
        link.append(
          ...mark ? [markKey(mark)] : [],
          element('span', timeOf(moment), 'when'),
          ' ',
          name,
          ' ',
          element('span', outcomeOf(moment), 'what'),
        );
        item.append(link);
        return item;
      }),
    );
  const first = Math.max(MOST_LISTED, (choice.moment ?? 0) + 1);
  show(first);
  box.append(element('h4', `${hasAllMoments ? 'Moments' : 'Places of moments'} (${count(ordered.length)})`), list);
  if (ordered.length > first) {
    const more = element('button', `Show all ${count(ordered.length)}`);
    more.type = 'button';
    more.addEventListener('click', () => {
      show(Infinity);
      more.remove();
    });
    box.append(more);
  }
  if (!hasAllMoments) {
    box.append(element(
      'p',
      'There are too many entries for a page. Each line stands for all ' +
        'entries of one kind within ten meters. The NDJSON output has every entry.',
      'dim',
    ));
  }
  return box;
};

/** Moments by time, and those without a time by walk. */
const orderedMoments = (own) =>
  [...own].sort((a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity) || a.track - b.track || 0);

/** A text with a capital at the beginning. */
const cap = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const storyDetail = (choice) => {
  const one = stories[choice.index], title = element('h3'), address = safeLink(one.url);
  if (address) {
    const link = element('a', one.title);
    Object.assign(link, { href: address, rel: 'noopener noreferrer', target: '_blank', dir: 'auto' });
    title.append(link);
  } else {
    title.textContent = one.title;
    title.dir = 'auto';
  }
  const perfect = element('details'),
    facts = factList([
      ['Reached by', `${count(one.met)} of ${count(tracks.length)} walks`],
      [
        'Walks',
        `${count(one.alerted)} alerted, ${count(one.suppressed)} held back, ${count(one.late)} late, ` +
        `${count(one.missed)} missed, ${count(one.inside)} inside from the start`,
      ],
      ['Alerts', `${count(one.alerts)}, or ${count(one.oracle)} with every circle watched`],
      ['Recall', percent(one.found, one.oracle)],
      [
        'Nearest',
        distance(one.nearest) +
        (one.nearestTrack
          ? ` (${tracks.find((track) => track.name === one.nearestTrack)?.label ?? one.nearestTrack})`
          : ''),
      ],
    ]),
    why = element('p', `${cap(verdict(one))}.`, 'short-why');
  const parts = [
    element('p', [one.category, one.id, `radius ${distance(one.radius * 1000)}`].filter(Boolean).join(' · '), 'dim'),
  ];
  for (const odds of one.odds.filter(Boolean)) parts.push(element('p', odds[2]), phoneDots(odds[3]));
  if (phones.length && !one.odds.some(Boolean)) parts.push(element('p', `${phones[0].name}: no phone alerts.`));
  const shares = tracks.map((track) => [track, shareOn(one.index, track.index)]).filter(([, share]) => share >= NEVER)
    .sort((a, b) => b[1] - a[1]);
  if (shares.length) {
    parts.push(factList(
      shares.slice(0, MOST_LISTED)
        .map(([track, share]) => [track.label, `${shareWords(share)} of phones alert`]),
    ));
  }
  perfect.open = !phones.length;
  perfect.append(element('summary', 'As a perfect phone'), facts);
  parts.push(why, perfect);
  if (one.moments.length) {
    parts.push(momentList(choice, one.moments, (moment) => tracks[moment.track].label));
  }
  return [title, ...parts];
};

const trackDetail = (choice) => {
  const one = tracks[choice.index], title = element('h3', one.label);
  title.dir = 'auto';
  const parts = [
    element(
      'p',
      `${one.km.toFixed(1)} km · ${count(one.fixes)} fixes` +
        (one.rejected ? ` · rejected ${refused(one)}` : ''),
      'dim',
    ),
    factList([
      ...phones.map((phone, index) => [`Alerts on ${phone.name}`, meanOn(index)(one)]),
      [
        phones.length ? 'On a perfect phone' : 'Entries',
        `${count(one.entries)} entries: ${count(one.alerts)} alerts, ${count(one.suppressed)} held back, ` +
        `${count(one.late)} late, ${count(one.missed)} missed`,
      ],
      ['Recall', percent(one.found, one.oracle)],
      ['Lookups', `${count(one.refreshes)}, ${one.rate.toFixed(2)} per kilometer`],
    ]),
  ];
  if (one.moments.length) {
    parts.push(momentList(choice, one.moments, (moment) => stories[moment.story].title));
  }
  return [title, ...parts];
};

const spotDetail = (choice) => {
  const spot = spots[choice.index], title = element('h3', spotName(spot));
  title.dir = 'auto';
  const there = storiesAt(spot), list = element('ul', undefined, 'plain');
  for (const one of there.slice(0, MOST_LISTED)) {
    const item = element('li'), link = element('a', one.title);
    link.href = addressOf({ kind: 'story', index: one.index });
    link.dir = 'auto';
    item.append(
      link,
      phones.length
        ? ` ${shareWords(one.phone0)} of phones alert`
        : ` ${percent(one.found, one.oracle)} of ${count(one.oracle)} alerts`,
    );
    list.append(item);
  }
  return [
    title,
    element('p', `${spot.lat.toFixed(5)}, ${spot.lon.toFixed(5)}`, 'dim'),
    factList([
      ['Circles', `${count(spot.circles)} overlap here`],
      ['Walks', `${count(spot.met)} were inside all of them`],
    ]),
    element('h4', 'Stories here'),
    list,
  ];
};

/**
 * The stories whose circles contain a spot, nearest first; accurate enough for a list, not for a
 * count.
 */
const storiesAt = (spot) => {
  const across = Math.cos(spot.lat * Math.PI / 180);
  const gap = (one) => 111195 * Math.hypot(one.lat - spot.lat, nearestTurn(one.lon - spot.lon, 0) * across);
  return stories.map((one) => [gap(one), one]).filter(([meters, one]) => meters <= one.radius * 1.01 + 1)
    .sort((a, b) => a[0] - b[0]).map(([, one]) => one);
};

/** Shows details of a choice, or how to choose. */
const showDetail = (choice) => {
  const box = $('detail');
  if (choice) box.dataset.chosen = choice.kind;
  else delete box.dataset.chosen;
  if (!choice) {
    box.replaceChildren(element(
      'p',
      'Choose a mark, a circle or a line on the map, or a row in a table, ' +
        'to read about it here.',
      'dim',
    ));
    return;
  }
  const clear = element('button', '×', 'close'), made = { story: storyDetail, track: trackDetail, spot: spotDetail };
  clear.type = 'button';
  clear.setAttribute('aria-label', 'Clear the choice (Escape)');
  clear.addEventListener('click', () => choose(null));
  const hadFocus = box.contains(document.activeElement);
  const actions = [studioLink(choice), casesButton(choice)].filter(Boolean);
  box.replaceChildren(clear, ...made[choice.kind](choice));
  // Put them above the list of moments, which may be long.
  (box.querySelector('details') ?? box.querySelector('.facts')).after(...actions);
  const current = box.querySelector('.moments [aria-current]');
  // Scroll only the box, and keep the keyboard's focus.
  box.scrollTop = current ? current.offsetTop - box.clientHeight / 3 : 0;
  if (hadFocus) (current ?? box).focus({ preventScroll: true });
};
