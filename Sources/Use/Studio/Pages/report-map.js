// The report's map.

/** The looks of circles on the steps of the scale. */
const SHARE_LOOKS = ['likely', 'possible', 'unlikely', 'untouched'];

/** How to draw each kind of thing, in the style sheet's colors for light or dark. */
const reportLooks = () => {
  const circle = (name, width) => ({
    stroke: ink(name),
    fill: ink(name),
    fillAlpha: name === 'never' ? .12 : .4,
    width,
  });
  const mark = (fill, stroke, shape, cell, size, width) => ({
    shape,
    cell,
    size,
    width,
    stroke: ink(stroke),
    fill: ink(fill),
  });
  const looks = {
    untouched: circle('never', 1),
    met: circle('hit', 1.3),
    lossy: circle('miss', 1.6),
    likely: circle('hit', 1.3),
    possible: circle('some', 2),
    unlikely: circle('miss', 2.8),
    track: { stroke: ink('track'), width: 1.6, alpha: .7, thins: true, arrows: true },
    point: { shape: 'disc', size: 2.2, cell: 3, fill: ink('ink'), quiet: true },
    start: { shape: 'disc', size: 4.5, fill: ink('land'), stroke: ink('ink'), width: 2, quiet: true },
    end: { shape: 'square', size: 4, fill: ink('ink'), stroke: ink('land'), width: 1.5, quiet: true },
    gap: { stroke: ink('ink'), width: 2, dash: [5, 4] },
    chosen: { stroke: ink('ink'), width: 3 },
    crowd: mark('crowd', 'crowd-edge', 'square', 10, 6, 1.5),
    suppressed: mark('held-wash', 'held', 'diamond', 6, 3.6, 1.4),
    alert: mark('hit', 'land', 'disc', 6, 4.4, 1.4),
    late: mark('miss', 'land', 'triangle', 7, 5.6, 1.8),
    missed: { shape: 'cross', cell: 8, size: 5.2, width: 3.4, stroke: ink('miss'), halo: ink('land') },
  };
  for (let i = 0; i < WALK_COLORS; i++) looks['track' + i] = { ...looks.track, stroke: ink('walk-' + i), width: 2.2 };
  looks.name = { font: '600 12px system-ui, sans-serif', ink: ink('ink'), halo: ink('land') };
  LOST_STEPS.forEach((_, step) => {
    looks['lost' + step] = { fill: ink('lost-' + step), fillAlpha: .85, stroke: ink('land'), width: .7 };
  });
  return looks;
};

/** The entries and the crowded spots by kind, in drawing order. */
const marksOfReport = () => {
  const marks = { point: stories, crowd: spots, suppressed: [], alert: [], late: [], missed: [] };
  for (const one of [...stories, ...moments, ...spots]) {
    one.x = worldX(one.lon);
    one.y = worldY(one.lat);
  }
  for (const moment of moments) marks[markOf(moment)]?.push(moment);
  return marks;
};

/** The look of a circle: by its chance on the first phone, or without a phone by its losses. */
const lookOf = (one) => {
  if (phones.length) return SHARE_LOOKS[shareStep(one.phone0)];
  return one.lost ? 'lossy' : one.met ? 'met' : 'untouched';
};

/** Everything that belongs to a choice, which stays bright while the rest is dimmed. */
const focusOf = (choice) => {
  if (!choice) return null;
  const focus = new Set();
  if (choice.kind === 'spot') {
    const spot = spots[choice.index];
    for (const one of [spot, ...storiesAt(spot)]) focus.add(one);
    return focus;
  }
  const one = KEYS[choice.kind][0][choice.index];
  focus.add(one);
  for (const moment of one.moments) {
    focus.add(moment).add(choice.kind === 'story' ? tracks[moment.track] : stories[moment.story]);
  }
  return focus;
};

/**
 * The gap between a story that no walk enters and the nearest walk: its line, the walk, and words; null if a walk
 * enters the story's circle, or if no walk comes near.
 */
const gapOf = (story) => {
  const track = story.miss > 0 && story.miss <= FAR_AWAY * 1000
      ? tracks.find((one) => one.name === story.nearestTrack)
      : null,
    near = track && nearestOn(track.lines, story);
  if (!near) return null;
  const { line, middle } = gapTo(story, near);
  return {
    look: 'gap',
    lines: [line],
    quiet: true,
    track,
    near,
    middle,
    words: `${distance(story.miss)}, ${track.person ?? track.label}`,
  };
};

/** Gives each walk its color in the legend. */
const addWalkKeys = () => {
  if (tracks.length > WALK_COLORS) return;
  const list = element('span', undefined, 'walk-keys');
  tracks.forEach(({ label }, index) => {
    const key = element('span', undefined, `walk-key walk-${index}`);
    list.append(key, ` ${label} `);
  });
  $('show-track').closest('label').append(list);
};

/** Adds the chances on the first phone to the legend, whose marks stand for them as well. */
const addPhoneKeys = () => {
  for (const [kind, words] of [['alert', 'at least half of the phones alert'], ['missed', 'fewer do']]) {
    $('show-' + kind).closest('label').lastChild.data = `${words}, on ${phones[0].name}`;
  }
  const label = $('show-circle').closest('label');
  for (const ring of label.querySelectorAll('.ring')) ring.remove();
  label.lastChild.data = 'stories';
  $('density-lost').textContent = 'Fewer than half of the phones alert';
  for (const [step, look] of SHARE_LOOKS.entries()) {
    if (!stories.some((one) => lookOf(one) === look)) continue;
    const item = element('li');
    item.append(element('span', undefined, `ring ring-${look}`), ` ${SHARE_STEPS[step][2]} of phones alert`);
    $('show-circle').closest('ul').append(item);
  }
};

/** Leaves out of the legend the marks that nothing has. */
const trimLegend = (marks, density) => {
  for (const kind of [...KINDS, 'crowd']) {
    if (!marks[kind].length && !density?.some((one) => one.kind === kind)) {
      $('show-' + kind).closest('li').hidden = true;
    }
  }
};

const makeMap = () => {
  // Animations would draw pictures that are replaced at once.
  const map = openMap('map', {
    zoomAnimation: false,
    fadeAnimation: false,
    zoomSnap: .25,
    zoomDelta: .75,
    wheelPxPerZoomLevel: 90,
  }, 'bottomleft');
  const marks = marksOfReport();
  for (const track of tracks) {
    track.look = tracks.length > WALK_COLORS ? 'track' : 'track' + track.index;
    track.lines = track.line.map((line) => worldLine(line));
  }
  if (tracks.length <= WALK_COLORS) Object.assign(marks, endsOf(tracks));
  const drawing = new ReportDrawing({
    looks: reportLooks(),
    tracks,
    marks,
    // Stories with losses come last, above the others.
    circles: ['untouched', 'met', 'lossy', 'likely', 'possible', 'unlikely'].map((look) => ({
      look,
      circles: stories.filter((one) => lookOf(one) === look),
    })),
  });
  // With too many entries, the page has marks for some, and counts for all.
  // The counts are those of a perfect phone.
  if (data.density && !phones.length) {
    drawing.density = data.density.flatMap(([lat, lon, ...counts]) => {
      const at = { x: worldX(lon / 1e6), y: worldY(lat / 1e6) };
      return KINDS.map((kind, number) => ({ ...at, kind, times: counts[number] })).filter((one) => one.times);
    });
  }
  drawing.onDensity = (isDense, most) => {
    $('density-key').hidden = !isDense;
    $('density-most').textContent = count(most);
  };
  trimLegend(marks, drawing.density);
  if (phones.length) addPhoneKeys();
  addWalkKeys();
  const names = new Names({
    looks: drawing.looks,
    names: [],
    circles: () => stories,
    obstacles: () => boxesOn(map, '.leaflet-control'),
  });
  let gap = null;
  /** Names the stories if there is room: the chosen one first, then those that alert. */
  const showNames = () => {
    const isNear = hasRoomForNames(map, stories.length) && !drawing.cells;
    const own = chosen?.kind === 'story' ? stories[chosen.index] : null;
    const shown = (isNear ? stories : own ? [own] : []).toSorted((a, b) => (b === own) - (a === own) || b.met - a.met);
    names.names = shown.map((one) => ({
      id: one.id,
      x: one.x,
      y: one.y,
      text: one.title,
      wanted: one === own,
      look: 'name',
    }));
    if (gap) names.names.unshift({ id: 'gap', ...gap.middle, text: gap.words, wanted: true, look: 'name' });
    names.draw();
  };

  const lines = tracks.flatMap((track) => track.lines);
  // Fit the walks, or the stories if there are no walks.
  const whole = boundsOf(map, lines) || boundsOf(map, stories.map((one) => [one.x, one.y]));
  const corners = () =>
    lines.flatMap((line) =>
      Array.from({ length: line.length / 2 }, (_, i) => ({ x: line[2 * i], y: line[2 * i + 1] }))
    );
  const home = whole &&
    homeOf(
      moments.length > 2 ? moments : corners(),
      Math.max(worldX(whole.getEast()) - worldX(whole.getWest()), worldY(whole.getSouth()) - worldY(whole.getNorth())),
    );
  const opening = home ? boundsOf(map, [[home.west, home.north, home.east, home.south]]) : whole;
  const show = (where, padding) =>
    where ? map.fitBounds(where, { padding: [padding, padding], maxZoom: 17, animate: false }) : map.setView([0, 0], 1);
  $('home').hidden = !home;
  if (home) {
    const away = tracks.filter((track) =>
      !track.lines.some((line) => opening.intersects(boundsOf(map, [line])))
    ).length;
    $('away').textContent = away
      ? `${count(away)} of ${count(tracks.length)} walks ${away === 1 ? 'is' : 'are'} elsewhere.`
      : 'Some walks go further.';
  }
  show(opening, 16);
  drawing.addTo(map);
  names.addTo(map);
  showNames();
  map.on('zoomend', showNames);

  for (const kind of ['alert', 'suppressed', 'late', 'missed', 'crowd', 'circle', 'track']) {
    $('show-' + kind).addEventListener('change', (event) => {
      drawing.hidden[event.target.checked ? 'delete' : 'add'](kind);
      drawing.draw();
    });
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    drawing.looks = names.looks = reportLooks();
    drawing.draw();
    names.draw();
  });

  const words = ({ kind, mark, circle, track, cell }) => {
    if (cell && phones.length) {
      return `${count(cell.all)} entries: ${count(cell.kinds.alert)} alert in half of the runs or more, ` +
        `${count(cell.kinds.missed)} in fewer, ${count(cell.kinds.suppressed)} held back`;
    }
    if (cell) {
      return `${count(cell.all)} entries: ${count(cell.kinds.alert)} alerts, ` +
        `${count(cell.kinds.suppressed)} held back, ${count(cell.kinds.late)} late, ` +
        `${count(cell.kinds.missed)} missed`;
    }
    if (track) return track.label;
    if (circle) return `${circle.title}: ${verdict(circle)}`;
    if (kind === 'crowd') {
      return `${mark.circles} circles overlap here, on ${count(mark.met)} ${mark.met === 1 ? 'walk' : 'walks'}`;
    }
    return `${stories[mark.story].title}: ${outcomeOf(mark)}`;
  };
  watchPointer(map, drawing, words, ({ kind, mark, circle, track, cell }) => {
    if (cell) map.setView(map.unproject([cell.x * 256, cell.y * 256], 0), map.getZoom() + 1.5, { animate: false });
    else if (track) choose({ kind: 'track', index: track.index });
    else if (circle) choose({ kind: 'story', index: circle.index });
    else if (kind === 'crowd') choose({ kind: 'spot', index: mark.index });
    else {choose({
        kind: 'story',
        index: mark.story,
        moment: orderedMoments(stories[mark.story].moments).indexOf(mark),
      });}
  });
  offerStreets(map, $('show-streets'), $('streets-note'), {
    online: '(loads tiles from openstreetmap.org)',
    offline: '(offline)',
    failed: '(openstreetmap.org cannot be reached)',
  }, { maxZoom: 19, opacity: .75, className: 'street-tiles' });

  const around = (one, meters) => L.latLng(one.lat, one.lon).toBounds(meters);
  /** The bounds of a choice: of its moment, or of all of it. */
  const placeOf = (choice) => {
    const one = KEYS[choice.kind][0][choice.index];
    if (choice.moment !== undefined) {
      const moment = orderedMoments(one.moments)[choice.moment];
      return around(moment, Math.max(stories[moment.story].radius * 5, 600));
    }
    if (choice.kind === 'track') return boundsOf(map, one.lines);
    const whole = around(one, Math.max((one.radius ?? 0) * 5, 600)), miss = choice.kind === 'story' ? gapOf(one) : null;
    return miss ? whole.extend(map.unproject([miss.near.x * 256, miss.near.y * 256], 0)) : whole;
  };
  let view = opening;
  const reshow = (padding) => show(chosen ? placeOf(chosen) : view, padding);
  onChoice.push((choice) => {
    drawing.focus = focusOf(choice);
    drawing.chosenCircle = drawing.chosenTrack = undefined;
    gap = choice?.kind === 'story' && choice.moment === undefined ? gapOf(stories[choice.index]) : null;
    drawing.tracks = gap ? [...tracks, gap] : tracks;
    if (gap) drawing.focus.add(gap).add(gap.track);
    if (choice) {
      const one = KEYS[choice.kind][0][choice.index];
      if (choice.kind === 'track') drawing.chosenTrack = one;
      else drawing.chosenCircle = choice.kind === 'story' ? one : { ...one, radius: 1 };
      if (choice.moment !== undefined) {
        const moment = orderedMoments(one.moments)[choice.moment];
        drawing.chosenCircle = { ...moment, radius: 1 };
        drawing.chosenTrack = tracks[moment.track];
      }
      show(placeOf(choice), 24);
    }
    drawing.draw();
    showNames();
  });
  const look = (where) => {
    view = where;
    choose(null);
    show(where, 16);
    drawing.draw();
  };
  $('whole').addEventListener('click', () => look(whole));
  $('home').addEventListener('click', () => look(opening));
  // On paper, the map fits the page and has light colors.
  const box = $('map');
  const resize = (width, height, padding) => {
    // On paper, a second canvas would hide what lies below it.
    names.canvas = width ? drawing._container : null;
    names._container.hidden = Boolean(width);
    box.style.width = width;
    box.style.height = height;
    drawing.looks = names.looks = reportLooks();
    map.invalidateSize({ animate: false });
    reshow(padding);
    drawing.draw();
    showNames();
  };
  addEventListener('beforeprint', () => resize('17.5cm', '11cm', 10));
  addEventListener('afterprint', () => resize('', '', 16));
  window.reportMap = map;
  window.reportDrawing = drawing;
};
