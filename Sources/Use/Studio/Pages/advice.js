// The page of advice: a map of the walks, with the circles before and after each change.
(() => {
  const data = JSON.parse($('data').textContent);
  /** How to draw each kind of thing, in the style sheet's colors for light or dark. */
  const looksNow = () => {
    const circle = (name, width) => ({ stroke: ink(name), fill: ink(name), fillAlpha: .18, width });
    return {
      before: circle('miss', 1.6),
      after: circle('hit', 2),
      chosen: { stroke: ink('ink'), width: 3 },
      track: { stroke: ink('track'), width: 1.6, alpha: .6, thins: true },
    };
  };
  const circle = (one, change, isAfter) => ({
    change,
    isAfter,
    title: one.title,
    lat: one.lat,
    lon: one.lon,
    radius: one.radius,
    x: worldX(one.lon),
    y: worldY(one.lat),
  });
  const before = data.changes.flatMap((change, i) => change.before.map((one) => circle(one, i, false)));
  const after = data.changes.flatMap((change, i) => change.after.map((one) => circle(one, i, true)));

  const tracks = data.tracks.map((track) => ({
    look: 'track',
    label: track.name,
    lines: track.line.map((line) => worldLine(line)),
  }));

  const map = openMap('map', { zoomAnimation: false, fadeAnimation: false, zoomSnap: .25 }, 'bottomleft');
  const drawing = new Drawing({
    looks: looksNow(),
    tracks,
    circles: [{ look: 'before', circles: before }, { look: 'after', circles: after }],
  });
  const whole = boundsOf(map, tracks.flatMap((track) => track.lines)) ||
    boundsOf(map, before.map((one) => [one.x, one.y]));
  const show = () =>
    whole ? map.fitBounds(whole, { padding: [16, 16], maxZoom: 17, animate: false }) : map.setView([0, 0], 1);
  show();
  drawing.addTo(map);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    drawing.looks = looksNow();
    drawing.draw();
  });

  const rows = [...document.querySelectorAll('#changes tbody tr')];
  const choose = (number) => {
    rows.forEach((row, i) => row.classList.toggle('chosen', i === number));
    const shown = [...after, ...before].filter((one) => one.change === number);
    drawing.chosenCircle = shown[0];
    if (shown.length) {
      map.fitBounds(
        L.latLngBounds(shown.map((one) => [one.lat, one.lon]))
          .extend(L.latLng(shown[0].lat, shown[0].lon).toBounds(Math.max(shown[0].radius * 5, 600))),
        { animate: false },
      );
    }
    drawing.draw();
  };
  for (const button of document.querySelectorAll('#changes button')) {
    button.addEventListener('click', () => choose(Number(button.dataset.number)));
  }
  // Each link also makes the changes above it, because the gain was measured with them.
  (data.steps ?? []).forEach(({ studio, story }, number) => {
    const address = safeLink(studio.address);
    if (!address) return;
    const words = new URLSearchParams(story ? { story } : {}), link = element('a', 'Try in the studio', 'in-studio');
    link.href = `${address}#${[words, studio.view].filter((one) => String(one)).join('&')}`;
    link.target = 'fencepost-studio';
    rows[number].cells[0].append(link);
  });
  watchPointer(
    map,
    drawing,
    ({ circle: one, track }) =>
      track ? track.label : `${one.title}: ${one.isAfter ? 'after' : 'before'}, ${count(Math.round(one.radius))} m`,
    ({ circle: one }) => {
      if (one) choose(one.change);
    },
  );
  offerStreets(map, $('show-streets'), $('streets-note'), {
    online: '(loads tiles from openstreetmap.org)',
    offline: '(offline)',
    failed: '(openstreetmap.org cannot be reached)',
  }, { maxZoom: 19, opacity: .75 });
  $('whole').addEventListener('click', () => {
    drawing.chosenCircle = undefined;
    show();
    drawing.draw();
  });
  document.documentElement.dataset.ready = 'true';
})();
