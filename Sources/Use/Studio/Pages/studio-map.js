// The studio's map: circles and walks on one canvas, entries on another, everything that follows
// the time line on a third. Ten thousand circles take a while to draw, so a drag does not touch
// their canvas.

import { entryWords, FATES, fillOf, kindOf } from './studio-fates.js';
import { openFollowing } from './studio-follow.js';
import { StoryDrawing } from './studio-hexagons.js';
import { GRIP, openDrag } from './studio-drag.js';
import { showLegend } from './studio-legend.js';
import { looksNow } from './studio-looks.js';
import { openNames } from './studio-names.js';

const KINDS = ['suppressed', 'alert', 'late', 'missed'];
/** The least distance of the edge's handle from the center, in pixels. */
const LEAST_REACH = 44;

/** If no more circles than this have changed, only their surroundings are drawn again. */
const FEW_CHANGED = 6;

/**
 * Opens the map.
 *
 * @param app What the page shows; see `studio.js`.
 * @param hooks `choose(story)`, `chooseTrack(index)`, `goTo(entry)`, `move(story, place, words)`,
 *   `endMove(place, wanted)`.
 */
export const drawStage = (app, hooks) => {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = openMap('map', {
    zoomSnap: .25,
    zoomDelta: .75,
    maxZoom: 20,
    fadeAnimation: false,
    zoomAnimation: !isStill,
    inertia: !isStill,
    boxZoom: false,
  }, 'topleft');
  map.setView([0, 0], 2);
  offerRememberedStreets(map);
  const looks = looksNow(), marks = () => Object.fromEntries(KINDS.map((kind) => [kind, []]));
  const still = new StoryDrawing({ looks, circles: [], tracks: [], marks: { point: [], start: [], end: [] } }, {
    padding: .2,
    shifts: true,
  });
  const marked = new Drawing({ looks, marks: marks() }, { padding: .2, shifts: true });
  const moving = new Drawing({ looks, circles: [], tracks: [], marks: { here: [], handle: [] } }, { padding: 0 });
  /** The drawn circles of stories, by ID. @type {Map<string, object>} */
  const circles = new Map();
  still.addTo(map);
  marked.addTo(map);
  moving.addTo(map);
  const names = openNames(app, { map, looks, circles, fate: (id) => fate(id), missOf: (one) => missOf(one) });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    const renewed = looksNow();
    for (const one of [still, marked, moving, names.layer]) {
      one.looks = renewed;
      one.draw();
    }
  });
  let reference = .5;
  const worldOf = (lat, lon) => {
    const x = worldX(lon);
    return { x: x + Math.round(reference - x), y: worldY(lat), lat };
  };
  const circleOf = (place) => ({
    ...worldOf(place.lat, place.lon),
    radius: place.radius,
    id: place.id,
    title: cut(place.title || place.id, MOST_TITLE),
  });
  const latLng = (one) => map.unproject([one.x * 256, one.y * 256], 0);

  // ---- the still parts

  let lines = [];
  const showTracks = () => {
    reference = app.track
      ? app.track.x[0]
      : app.scene.tracks[0]?.lines[0]
      ? worldX(app.scene.tracks[0].lines[0][1] / 1e6)
      : .5;
    lines = app.scene.tracks.map((track) => track.lines.map((line) => worldLine(line, reference)));
    still.tracks = lines.map((own, index) => ({
      look: (index === app.number ? 'track' : 'other') + index % WALK_COLORS,
      lines: own,
      index,
      quiet: index === app.number,
    })).filter((one) => !app.walks.isHidden(one.index));
    // The ends of many walks would hide everything else.
    still.marks = {
      ...still.marks,
      ...endsOf(still.tracks.length > WALK_COLORS ? still.tracks.filter((one) => one.quiet) : still.tracks),
    };
    circles.clear();
  };
  /** The circle of a story, made again if the story has changed. */
  const renewCircle = (id, place) => {
    const known = circles.get(id);
    if (known?.place === place) return known;
    const circle = circleOf(place);
    circle.place = place;
    circles.set(id, circle);
    return circle;
  };
  /**
   * How the canvas of circles shows the stories that do not look as at the start, by ID. The chosen
   * story is on another canvas.
   */
  const circleWords = () => {
    const { edits, chosen, results } = app;
    return new Map([...edits.touched, ...results.keys(), ...chosen === null ? [] : [chosen]].map((id) => {
      const place = edits.places.get(id), isSame = place === edits.base.get(id);
      return [
        id,
        [isSame, id === chosen || !place ? '' : `${fate(id)} ${place.lat} ${place.lon} ${place.radius}`].join(),
      ];
    }));
  };
  const marksKey = () =>
    [
      app.number,
      app.range.get(),
      ...(app.run?.entries ?? []).map((one) => `${one.story} ${kindOf(app, one)} ${one.lat} ${one.lon}`),
    ].join('\n');
  const fate = (id) => fillOf(app, id);
  const showStories = () => {
    const groups = Object.fromEntries([...FATES, 'changed'].map((look) => [look, []])), ghosts = [];
    for (const [id, place] of app.edits.places) {
      const circle = renewCircle(id, place);
      if (id === app.chosen) continue;
      groups[fate(id)].push(circle);
      if (app.edits.touched.has(id) && app.edits.base.get(id) !== place) groups.changed.push(circle);
    }
    for (const id of app.edits.touched) {
      const before = app.edits.base.get(id);
      if (before && app.edits.places.get(id) !== before) ghosts.push(circleOf(before));
    }
    showNames();
    still.marks.point = [...circles.values()].filter((one) => app.edits.places.has(one.id));
    still.circles = [
      { look: 'ghost', circles: ghosts, quiet: true },
      ...Object.entries(groups).map(([look, list]) => ({ look, circles: list })),
    ];
  };
  const showNames = () => names.show(grabs?.current?.hasMoved ?? false);
  map.on('zoomend', () => showNames());
  $('legend').addEventListener('toggle', () => showNames());
  const showMarks = () => {
    marked.marks = marks();
    for (const entry of (app.run?.entries ?? []).filter((one) => app.range.holds(one.at))) {
      marked.marks[kindOf(app, entry)]?.push({ ...worldOf(entry.lat, entry.lon), entry });
    }
  };

  // ---- the moving parts

  const circlesOf = (ids, skip) =>
    [...ids].filter((id) => !skip?.has(id))
      .map((id) => circles.get(id)).filter((one) => one);
  const pathSoFar = ({ fix, part, x, y }) => {
    const { track, run } = app, all = [];
    let line = [];
    for (let i = 0; i <= fix; i++) {
      if (run.breaks.has(i) && line.length) {
        all.push(line);
        line = [];
      }
      line.push(track.x[i], track.y[i]);
    }
    if (part) line.push(x, y);
    return [...all, line];
  };
  const headingLine = ({ x, y, heading }) => {
    if (heading === null) return [];
    const angle = heading * Math.PI / 180, pixel = 1 / (256 * 2 ** map.getZoom());
    return [12, 22].flatMap((far) => [x + far * pixel * Math.sin(angle), y - far * pixel * Math.cos(angle)]);
  };
  const drawMoment = () => {
    const { state, chosen } = app, own = chosen ? circles.get(chosen) : null;
    moving.circles = [];
    moving.tracks = [];
    moving.marks = { here: [], handle: [] };
    for (const { number, x, y, lat } of app.walks.others(app.player.now)) {
      (moving.marks['here' + number % WALK_COLORS] ??= []).push({ x, y, lat });
    }
    if (state) {
      const { refresh, position } = state, { player } = app;
      const missed = new Set(state.missed.map((one) => one.story));
      const disc = (look, radius) =>
        radius > 0 && radius < 2e7 &&
        moving.circles.push({ look, quiet: true, circles: [{ ...worldOf(refresh.lat, refresh.lon), radius }] });
      // Before the walk is played, and after it, the fill alone is the answer.
      if (player.isPlaying || player.now > 0 && player.now < player.end) {
        if (refresh && refresh.reach !== null) disc('safe', refresh.reach);
        if (refresh && refresh.next !== null) disc('next', refresh.next);
        moving.circles.push(
          { look: 'ring', circles: circlesOf(state.monitored, state.inside) },
          { look: 'came', circles: circlesOf(refresh?.added ?? []) },
          { look: 'went', circles: circlesOf(refresh?.removed ?? []) },
          { look: 'inside', circles: circlesOf(state.inside, missed) },
          { look: 'unseen', circles: circlesOf(missed) },
        );
      }
      moving.tracks.push({ look: 'path' + app.number % WALK_COLORS, lines: pathSoFar(position), quiet: true }, {
        look: 'heading',
        lines: [headingLine(position)],
        quiet: true,
      });
      moving.marks.here = [{ x: position.x, y: position.y, lat: position.lat }];
    }
    if (own) {
      moving.circles.unshift({ look: fate(chosen), circles: [own] });
      moving.circles.push({ look: 'chosen', circles: [own] });
      const handle = handleOf(own), miss = missOf(own);
      if (miss) {
        moving.tracks.push({ look: 'gap', lines: [miss.line], quiet: true });
        moving.marks.gapEnd = [miss.near];
      }
      if (miss?.words !== gapWords) {
        gapWords = miss?.words;
        showNames();
      }
      moving.marks.handle = [own, handle];
      moving.tracks.push({ look: 'arm', lines: [[own.x, own.y, handle.x, handle.y]], quiet: true });
    }
    // It has no margin, which would have to be drawn at each frame, but follows the view.
    moving._update();
    legend();
  };
  let gapWords;
  /**
   * The way from the circle that no walk enters to the nearest point of the nearest walk, and that gap in words; null
   * for a circle that a walk enters.
   */
  const missOf = (circle) => {
    const found = app.missOf?.(circle.id);
    if (!found || app.walks.isHidden(found.walk)) return null;
    const near = nearestOn(lines[found.walk] ?? [], circle);
    if (!near) return null;
    return { ...gapTo(circle, near), words: `${app.meters(found.meters)}, ${cut(app.shortNames[found.walk], 24)}` };
  };
  /** The legend's words for looks that have other names there. */
  const KEY_OF = { here: 'you', alert: 'hit', missed: 'miss' };
  /** Shows the legend of what is drawn now. */
  const legend = () => {
    const drawn = new Set();
    if (moving.tracks.some((one) => one.look === 'gap')) drawn.add('gap');
    for (const { look, circles: list } of [...still.circles, ...moving.circles]) if (list.length) drawn.add(look);
    for (const [kind, list] of Object.entries({ ...marked.marks, here: moving.marks.here })) {
      if (list.length) drawn.add(KEY_OF[kind] ?? kind);
    }
    // Names keep off the legend, whose size has changed.
    if (showLegend(drawn, still.cells ? 'hexagons' : app.chances?.hasPhone ? 'phone' : 'plain')) {
      if (isOpening) fit();
      showNames();
    }
    if (app.replayed === 1 && (app.chances?.simulated ?? 1) === 1) isOpening = false;
  };
  let grabs = null, draggedAt = 0;
  /**
   * The position of the radius handle: at the edge, or outside a small circle; on the left if the
   * right has no room.
   */
  const handleOf = (circle) => {
    const scale = 256 * 2 ** map.getZoom(), edge = worldRadius(circle);
    const reach = Math.max(edge, LEAST_REACH / scale),
      isRoom = moving.x(circle.x + reach) < map.getSize().x - GRIP.mouse;
    const side = grabs?.current?.side ?? (isRoom || moving.x(circle.x - reach) < GRIP.mouse ? 1 : -1);
    return { x: circle.x + side * reach, y: circle.y, lat: circle.lat };
  };
  map.on('move', drawMoment);

  let drawnCircles = new Map(), drawnMarks = null;
  /** Draws everything, but circles and entries only if they have changed or `isForced`. */
  const draw = (isForced = false) => {
    const shown = circleWords(), keyOfMarks = marksKey();
    const changed = [...new Set([...shown.keys(), ...drawnCircles.keys()])].filter((id) =>
      shown.get(id) !== drawnCircles.get(id)
    );
    if (isForced || changed.length) {
      const before = changed.map((id) => circles.get(id));
      showStories();
      if (isForced || changed.length > FEW_CHANGED) still.draw();
      else {changed.forEach((id, at) => {
          const base = app.edits.base.get(id);
          still.drawAround([before[at], circles.get(id), base && circleOf(base)].filter((one) => one));
        });}
      drawnCircles = shown;
    } else if (app.chosen) renewCircle(app.chosen, app.edits.places.get(app.chosen));
    if (isForced || keyOfMarks !== drawnMarks) {
      showMarks();
      marked.draw();
      drawnMarks = keyOfMarks;
    }
    drawMoment();
  };

  // ---- pointer

  const words = ({ mark, circle, track, cell }) =>
    cell
      ? `${count(cell.all)} ${cell.all === 1 ? 'story' : 'stories'}, ${count(cell.alerting)} alert`
      : track
      ? app.scene.tracks[track.index].name
      : circle
      ? circle.title
      : mark.entry
      ? `${app.titleOf(mark.entry.story)}: ${entryWords(app, mark.entry)}`
      : '';
  const find = (point) =>
    grabs?.current ? null : marked.findMark(point) ?? moving.findCircle(point) ?? still.findCircle(point) ??
      still.findTrack(point);
  watchPointer(map, { find }, words, ({ mark, circle, track, cell }) => {
    if (performance.now() - draggedAt < 300) return;
    if (cell) map.setView(latLng(cell), map.getZoom() + 1.5, { animate: false });
    else if (track) hooks.chooseTrack(track.index);
    else if (circle?.id) hooks.pick(circle.id);
    else if (mark?.entry) hooks.goTo(mark.entry);
  });

  grabs = openDrag({
    app,
    map,
    moving,
    chosenCircle: () => app.chosen ? circles.get(app.chosen) : null,
    handleOf,
    hooks,
    ended: () => {
      draggedAt = performance.now();
      showNames();
    },
  });
  new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(map.getContainer());

  // ---- view

  const { follow, setFollowing } = openFollowing(app, map, latLng);
  /** Shows all walks whole, or without walks the stories. */
  const fit = () => {
    const shown = lines.filter((_, index) => !app.walks.isHidden(index)).flat();
    const where = boundsOf(map, shown.length ? shown : lines.flat()) ??
      mainBoundsOf(map, [...app.edits.places.values()].map(circleOf));
    if (where) fitBetween(map, where, boxesOn(map, '.leaflet-control-zoom, .tools, #legend'));
  };
  // As the first results come the legend grows, and the map makes room for it unless it was touched.
  let isOpening = false;
  for (const name of ['pointerdown', 'wheel', 'keydown']) {
    addEventListener(name, () => {
      isOpening = false;
    }, { capture: true, passive: true });
  }
  $('whole').addEventListener('click', () => {
    setFollowing(false);
    fit();
  });
  window.studioMap = map;
  window.studioDrawings = { still, marked, moving, names: names.layer };
  return {
    map,
    draw,
    drawMoment,
    fit,
    follow,
    /** Shows all walks whole as the page opens. */
    open: () => {
      isOpening = true;
      fit();
    },
    openTracks: () => {
      showTracks();
      draw(true);
    },
    show: (place) => {
      setFollowing(false);
      const circle = circles.get(place.id) ?? circleOf(place);
      if (map.getBounds().contains(latLng(circle)) && map.getZoom() >= 14) return;
      map.setView(latLng(circle), Math.max(map.getZoom(), 15), { animate: false });
    },
  };
};
