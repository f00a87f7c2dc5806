// The live map: paths, positions, watched circles and events.

// Stands for all devices. A device would hardly have this name.
const ALL = '\u0001all';

/**
 * The distance in meters, from the radii of curvature at the mean latitude; within 0.01 % up to 100
 * km.
 */
const meters = (one, other) => {
  const radians = Math.PI / 180, middle = (one.lat + other.lat) / 2 * radians;
  const share = 1 - 0.00669437999014 * Math.sin(middle) ** 2;
  const across = 6378137 / Math.sqrt(share), along = across * 0.99330562000986 / share;
  const east = (nearestTurn(other.lon, one.lon) - one.lon) * radians * across * Math.cos(middle);
  return Math.hypot(east, (other.lat - one.lat) * radians * along);
};

/** The number of device colors in the style sheet. */
const COLORS = 8;

/** How to draw each kind of thing, in the style sheet's colors for light or dark. */
const looksNow = () => {
  return {
    accuracy: { stroke: ink('you'), width: 1, alpha: .4, fill: ink('you'), fillAlpha: .1 },
    ring: { stroke: ink('ring'), width: 1.6, fill: ink('ring-fill'), fillAlpha: .09 },
    inside: { stroke: ink('in'), width: 2.6, fill: ink('in'), fillAlpha: .18 },
    ...Object.fromEntries(
      Array.from({ length: COLORS }, (_, index) => ink(`device-${index}`)).flatMap((color, index) => [
        [`path${index}`, { stroke: color, width: 3.5, alpha: .75 }],
        [`otherPath${index}`, { stroke: color, width: 2, alpha: .5 }],
        [`heading${index}`, { stroke: color, width: 4 }],
        [`other${index}`, { shape: 'disc', size: 6, stroke: ink('paper'), width: 2, fill: color }],
        [`here${index}`, { shape: 'disc', size: 8, stroke: ink('paper'), width: 3, fill: color }],
      ]),
    ),
    name: { font: '600 12px system-ui, sans-serif', ink: ink('ink'), halo: ink('paper') },
    place: { shape: 'disc', size: 3.5, fill: ink('dot'), fillAlpha: .85 },
    waiting: { stroke: ink('dot'), width: 1.2, fill: ink('dot'), fillAlpha: .12 },
    suppressed: { shape: 'disc', size: 5, stroke: ink('held'), width: 2.5, fill: ink('held-wash') },
    alert: { shape: 'disc', size: 7, stroke: ink('paper'), width: 2, fill: ink('hit') },
  };
};

const drawMap = () => {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = openMap('map', {
    zoomSnap: .5,
    fadeAnimation: !isStill,
    zoomAnimation: !isStill,
    markerZoomAnimation: !isStill,
    inertia: !isStill,
    maxZoom: 20,
  }, 'topleft');
  map.setView([0, 0], 2);
  offerRememberedStreets(map);
  const byColor = (name) => Object.fromEntries(Array.from({ length: COLORS }, (_, index) => [`${name}${index}`, []]));
  const drawing = new Drawing({
    looks: looksNow(),
    circles: [{ look: 'accuracy', circles: [], quiet: true }, { look: 'waiting', circles: [] }, {
      look: 'ring',
      circles: [],
    }, { look: 'inside', circles: [] }],
    marks: { place: [], suppressed: [], alert: [], ...byColor('other'), ...byColor('here') },
  }, { padding: .3 });
  const names = new Names({
    looks: looksNow(),
    names: [],
    obstacles: () => boxesOn(map, '.leaflet-control, .tools > *'),
    circles: () => drawing.circles.filter(({ quiet }) => !quiet).flatMap(({ circles }) => circles),
  });
  /** The stories that wait where the map opens, until a device is on it. */
  let waiting = [];
  drawing.addTo(map);
  names.addTo(map);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    drawing.looks = names.looks = looksNow();
    for (const one of [drawing, names]) one.draw();
  });
  watchPointer(map, drawing, ({ mark, circle }) => (mark ?? circle).title, () => {});

  let isFollowing = true, shown = [new Map(), null];
  const setFollowing = (isOn) => {
    isFollowing = isOn;
    $('follow').setAttribute('aria-pressed', String(isOn));
  };
  map.on('dragstart', () => setFollowing(false));
  map.getContainer().addEventListener('keydown', (event) => {
    if (event.key.startsWith('Arrow')) setFollowing(false);
  });

  /** The world position of a place or a device, on the same turn of the globe as the device. */
  const inWorld = (one, device) => ({
    x: worldX(nearestTurn(one.lon, device?.longitude ?? one.lon)),
    y: worldY(one.lat),
    lat: one.lat,
  });
  const titled = (one, device) => ({
    ...inWorld(one, device),
    radius: one.radius,
    title: cut(one.title || one.place || 'Untitled', MOST_TITLE),
  });
  const latLng = (one) => map.unproject([one.x * 256, one.y * 256], 0);

  /** A short line ahead of a moving device, from 12 to 20 pixels away from it. */
  const heading = (device) => {
    const { position } = device;
    if (!position || position.course === null || !(position.speed > .5)) return [];
    const { x, y } = inWorld(position, device), angle = position.course * Math.PI / 180;
    const pixel = 1 / (256 * 2 ** map.getZoom());
    return [12, 20].flatMap((far) => [x + far * pixel * Math.sin(angle), y - far * pixel * Math.cos(angle)]);
  };

  /** Places without those that come twice, as watched and as near. */
  const namedOnce = (places) => [...new Map(places.map((one) => [one.place, one])).values()];
  const draw = (devices, chosen) => {
    shown = [devices, chosen];
    const own = devices.get(chosen), all = [...devices.values()];
    const monitored = own ? own.monitored : [];
    const [accuracy, waits, ring, inside] = drawing.circles;
    waits.circles = all.length ? [] : waiting.map((one) => titled(one));
    accuracy.circles = own && own.position
      ? [{ ...inWorld(own.position, own), radius: own.position.accuracy || .01 }]
      : [];
    ring.circles = monitored.filter((one) => !one.inside).map((one) => titled(one, own));
    inside.circles = monitored.filter((one) => one.inside).map((one) => titled(one, own));
    drawing.tracks = all.map((one) => ({
      look: `${one === own ? 'path' : 'otherPath'}${one.color}`,
      lines: one.lines,
      quiet: true,
    }));
    if (own) drawing.tracks.push({ look: `heading${own.color}`, lines: [heading(own)], quiet: true });
    const here = (one) => ({ ...inWorld(one.position, one), title: cut(one.name || 'You are here', 60) });
    drawing.marks.place = own ? own.near.map((one) => titled(one, own)) : waits.circles;
    Object.assign(drawing.marks, byColor('other'), byColor('here'));
    for (const one of all) {
      if (one.position) {
        drawing.marks[`${one === own ? 'here' : 'other'}${one.color}`].push(here(one));
      }
    }
    const near = namedOnce([...monitored, ...own ? own.near : all.length ? [] : waiting]);
    names.names = [
      ...(all.length > 1
        ? all.filter((one) => one.position).map((one) => ({ ...here(one), text: one.name, look: 'name' }))
        : []),
      ...(hasRoomForNames(map, near.length)
        ? near.map((one) => ({ ...inWorld(one, own), id: one.place, text: one.title || one.place || '', look: 'name' }))
        : []),
    ];
    for (const one of [drawing, names]) one.draw();
  };
  map.on('zoomend', () => draw(...shown));

  const boundsOfView = (devices, chosen, isWhole) => {
    const all = L.latLngBounds([]), own = devices.get(chosen);
    for (const device of own ? [own] : devices.values()) {
      if (device.position) all.extend(latLng(inWorld(device.position, device)));
      const path = isWhole || !own ? boundsOf(map, device.lines) : null;
      if (path) all.extend(path);
    }
    if (!own || isWhole || !own.position) return all;
    // Fit the nearest circles only; others may be far away.
    const nearest = [...own.monitored].sort((a, b) => meters(own.position, a) - meters(own.position, b));
    for (const one of nearest.slice(0, 12)) {
      all.extend(latLng(inWorld(one, own)).toBounds(2 * one.radius));
    }
    return all;
  };
  const fit = (devices, chosen, isWhole) => {
    const all = boundsOfView(devices, chosen, isWhole);
    if (!all.isValid()) return false;
    map.fitBounds(all, { padding: [28, 28], maxZoom: 17, animate: false });
    return true;
  };
  /** Moves the map when the chosen device gets near its edge. */
  const follow = (devices, chosen, isForced) => {
    const device = devices.get(chosen);
    if (!isFollowing || !device || !device.position) return;
    const here = latLng(inWorld(device.position, device));
    if (!isForced && map.getBounds().pad(-.25).contains(here)) return;
    map.setView(here, map.getZoom(), { animate: !isStill && map.getBounds().contains(here) });
  };
  $('follow').addEventListener('click', () => {
    setFollowing(!isFollowing);
    if (isFollowing) follow(...shown, true);
  });
  $('whole').addEventListener('click', () => {
    setFollowing(false);
    fit(...shown, true);
  });
  new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(map.getContainer());

  const deviceOf = (event) => shown[0].get(event.device || '');
  Object.assign(window, { liveDrawing: drawing, liveNames: names });
  return {
    draw,
    follow,
    /** Shows stories until a device is on the map. */
    waitAt: (places) => {
      waiting = places;
    },
    open: (devices, chosen) => fit(devices, chosen, false),
    /** Shows where the stories are until a device is on the map. */
    goHome: ({ south, west, north, east }) => {
      map.fitBounds([[south, west], [north, east]], { padding: [28, 28], maxZoom: 16, animate: false });
      return true;
    },
    /** Marks an event from the next `draw` on, until `remove` of the returned object is called. */
    mark: (event, kind) => {
      const marks = drawing.marks[kind], mark = titled(event, deviceOf(event));
      marks.push(mark);
      return { remove: () => marks.splice(marks.indexOf(mark), 1) };
    },
    show: (event) => {
      setFollowing(false);
      map.setView(latLng(inWorld(event, deviceOf(event))), Math.max(map.getZoom(), 16), { animate: !isStill });
    },
  };
};
