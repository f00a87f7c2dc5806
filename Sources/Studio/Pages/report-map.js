// The report's map, and what is chosen on it.

const LOOKS = {
  untouched: { stroke: '#7d8b99', fill: 'rgba(120,135,150,.16)', width: 1 },
  met: { stroke: '#2f74c0', fill: 'rgba(47,116,192,.16)', width: 1.3 },
  lossy: { stroke: '#d6390b', fill: 'rgba(214,57,11,.18)', width: 1.6 },
  likely: { stroke: '#00795a', fill: 'rgba(0,121,90,.16)', width: 1.3 },
  possible: { stroke: '#a97800', fill: 'rgba(224,161,0,.2)', width: 2 },
  unlikely: { stroke: '#b8005c', fill: 'rgba(184,0,92,.2)', width: 2.8 },
  track: { stroke: '#3d5570', width: 1.6, alpha: .6 },
  crowd: { shape: 'square', cell: 10, size: 6, stroke: '#4d1458', fill: '#9b59b6', width: 1.5 },
  suppressed: { shape: 'diamond', cell: 6, size: 3.6, stroke: '#4f5a66', fill: '#c3cad1', width: 1.4 },
  alert: { shape: 'disc', cell: 6, size: 4.4, stroke: '#004d3a', fill: '#00a57c', width: 1.4 },
  late: { shape: 'triangle', cell: 7, size: 5.6, stroke: '#7a4b00', fill: '#ffc233', width: 1.8 },
  missed: { shape: 'cross', cell: 8, size: 5.2, stroke: '#d6390b', width: 3.4, halo: '#fff' },
};
const KIND_WORDS = { alert: 'alert', suppressed: 'held back', late: 'late entry', missed: 'missed entry' };

/** A line in the world, from differences of latitude and longitude in millionths of a degree. */
const worldLine = flat => {
  const line = new Float64Array(flat.length);
  let lat = 0, lon = 0;
  for (let i = 0; i < flat.length; i += 2) {
    lat += flat[i]; lon += flat[i + 1];
    // Across the antimeridian a line goes on beyond the edge of the map.
    const turns = i ? Math.round(line[i - 2] - worldX(lon / 1e6)) : 0;
    line[i] = worldX(lon / 1e6) + turns; line[i + 1] = worldY(lat / 1e6);
  }
  return line;
};

/** The entries and the crowded spots, by kind, in the order in which they are drawn. */
const marksOfReport = () => {
  const marks = { crowd: [], suppressed: [], alert: [], late: [], missed: [] };
  for (const [kind, story, lat, lon, times] of data.entries)
    marks[KINDS[kind]].push({ x: worldX(lon / 1e6), y: worldY(lat / 1e6), story, times });
  for (const [lat, lon, circles, met] of data.spots)
    marks.crowd.push({ x: worldX(lon), y: worldY(lat), circles, met });
  return marks;
};

/** The look of a circle: by the first phone's probability if there is one, else by what is lost. */
const lookOf = one => {
  if (phones.length && one.phone0 >= 0)
    return { good: 'likely', warn: 'possible', bad: 'unlikely' }[likelihood(one.phone0)];
  return one.lost ? 'lossy' : one.met ? 'met' : 'untouched';
};

if (!data.sweepOnly) (() => {
  // Without animation nothing is drawn that is thrown away at once.
  const map = openMap('map', { zoomAnimation: false, fadeAnimation: false, zoomSnap: .25,
    zoomDelta: .75, wheelPxPerZoomLevel: 90 }, 'bottomleft');
  for (const one of stories) { one.x = worldX(one.lon); one.y = worldY(one.lat); }
  for (const track of tracks) { track.look = 'track'; track.lines = track.line.map(worldLine); }
  const drawing = new Drawing({
    looks: LOOKS, tracks, marks: marksOfReport(),
    // Those where something is lost come last, above the others.
    circles: ['untouched', 'met', 'lossy', 'likely', 'possible', 'unlikely'].map(look =>
      ({ look, circles: stories.filter(one => lookOf(one) === look) })),
  });
  if (phones.length) for (const [look, words] of [['likely', 'in 80 % or more of the runs'],
    ['possible', 'in 50 to 80 %'], ['unlikely', 'in fewer than half']]) {
    const key = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    key.setAttribute('viewBox', '0 0 20 20'); key.setAttribute('class', 'key');
    key.setAttribute('aria-hidden', 'true');
    const ring = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    for (const [name, value] of Object.entries({ cx: 10, cy: 10, r: 8, fill: LOOKS[look].fill,
      stroke: LOOKS[look].stroke, 'stroke-width': LOOKS[look].width + .7 })) ring.setAttribute(name, value);
    key.append(ring);
    const item = element('li');
    item.append(key, ` alert on ${phones[0].name} ${words}`);
    $('show-circle').closest('ul').append(item);
  }

  // What matters: the tracks, or the stories where there are none.
  const whole = boundsOf(map, tracks.flatMap(track => track.lines))
    || boundsOf(map, stories.map(one => [one.x, one.y]));
  const show = (where, padding) => where
    ? map.fitBounds(where, { padding: [padding, padding], maxZoom: 17, animate: false })
    : map.setView([0, 0], 1);
  show(whole, 16);
  drawing.addTo(map);

  for (const kind of ['alert', 'suppressed', 'late', 'missed', 'crowd', 'circle', 'track'])
    $('show-' + kind).addEventListener('change', event => {
      drawing.hidden[event.target.checked ? 'delete' : 'add'](kind);
      drawing.draw();
    });

  const words = ({ kind, mark, circle, track }) => {
    if (track) return track.label;
    if (circle) return `${circle.title}: ${verdict(circle)}`;
    if (kind === 'crowd') return `${mark.circles} circles overlap here, on ${count(mark.met)} tracks`;
    return `${stories[mark.story].title}: ${KIND_WORDS[kind]}`
      + (mark.times > 1 ? ` (${count(mark.times)} times here)` : '');
  };
  watchPointer(map, drawing, words, ({ kind, mark, circle, track }) => {
    if (track) chooseTrack(track.index, false);
    else if (circle) chooseStory(circle.index, false);
    else if (kind !== 'crowd') chooseStory(mark.story, false);
  });
  offerStreets(map, $('show-streets'), $('streets-note'),
    { online: '(asks openstreetmap.org for the map of this area)', offline: '(needs to be online)' },
    { maxZoom: 19, opacity: .75 });

  const choose = (story, track) => { drawing.chosenCircle = story; drawing.chosenTrack = track; };
  $('whole').addEventListener('click', () => { choose(); show(whole, 16); drawing.draw(); });
  window.showStory = index => {
    const one = stories[index];
    choose(one);
    map.fitBounds(L.latLng(one.lat, one.lon).toBounds(Math.max(one.radius * 5, 600)), { animate: false });
    drawing.draw();
  };
  window.showTrack = index => {
    choose(undefined, tracks[index]);
    show(boundsOf(map, tracks[index].lines), 24);
    drawing.draw();
  };
  // On paper the map is as wide as the paper, not as the window.
  const box = $('map');
  const resize = (width, height, padding) => {
    box.style.width = width; box.style.height = height;
    map.invalidateSize({ animate: false }); show(whole, padding); drawing.draw();
  };
  addEventListener('beforeprint', () => resize('17.5cm', '12cm', 10));
  addEventListener('afterprint', () => resize('', '', 16));
  window.reportMap = map;
  window.reportDrawing = drawing;
})();
