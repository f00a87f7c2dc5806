/// The page's script: small words, and the map.
extension LiveScript {
  static let drawing = #"""
    'use strict';
    const $ = id => document.getElementById(id);
    // Hardly the name of a device; one that is called so is shown with all the others.
    const ALL = '\u0001all';
    const number = value => value.toLocaleString('en').replaceAll(',', ' ');
    const distanceWords = value => value < 1000 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} m`
      : `${(value / 1000).toFixed(value < 10000 ? 2 : 1)} km`;
    const clock = iso => {
      const time = new Date(iso), now = new Date();
      const words = time.toLocaleTimeString('en-GB');
      return time.toDateString() === now.toDateString() ? words
        : `${time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${words}`;
    };
    const safeLink = text => {
      if (!text) return null;
      try {
        const url = new URL(text);
        return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
      } catch { return null; }
    };
    // The longitude, a whole turn more or less, that is nearest to a reference.
    const nearestTurn = (lon, reference) => lon + 360 * Math.round((reference - lon) / 360);
    // Metres on the ellipsoid by its radii of curvature in between: to a ten-thousandth within 100 km.
    const meters = (one, other) => {
      const radians = Math.PI / 180, middle = (one.lat + other.lat) / 2 * radians;
      const share = 1 - 0.00669437999014 * Math.sin(middle) ** 2;
      const across = 6378137 / Math.sqrt(share), along = across * 0.99330562000986 / share;
      const east = (nearestTurn(other.lon, one.lon) - one.lon) * radians * across * Math.cos(middle);
      return Math.hypot(east, (other.lat - one.lat) * radians * along);
    };

    const drawMap = () => {
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const map = L.map('map', { zoomSnap: 0.5, attributionControl: true, fadeAnimation: !isStill,
        zoomAnimation: !isStill, markerZoomAnimation: !isStill, inertia: !isStill, maxZoom: 20 });
      map.attributionControl.setPrefix('Leaflet');
      map.setView([0, 0], 2);
      L.control.scale({ imperial: true, position: 'topleft' }).addTo(map);
      const Grid = L.GridLayer.extend({ createTile() {
        const tile = document.createElement('div');
        tile.className = 'grid-tile';
        return tile;
      } });
      const grid = new Grid({ tileSize: 128, updateWhenIdle: false }).addTo(map);
      for (const [name, level] of [['rings', 410], ['paths', 420], ['marks', 430], ['heres', 440]])
        map.createPane(name).style.zIndex = level;
      const renderers = {};
      const inPane = (name, className, more) => {
        renderers[name] = renderers[name] || L.svg({ pane: name, padding: 0.3 });
        return { pane: name, renderer: renderers[name], className, ...more };
      };
      const named = (shape, title) => {
        // An element, not a string: a string would be taken for markup.
        const label = document.createElement('span');
        label.textContent = title;
        return shape.bindTooltip(label, { sticky: true });
      };

      // Streets come from elsewhere: only if they are asked for, and while there is a network.
      const streets = L.tileLayer('https://tile.openstreetmap.org/{z}/{x}/{y}.png', {
        maxZoom: 20, maxNativeZoom: 19, className: 'street-tiles',
        attribution: '© OpenStreetMap contributors' });
      const box = $('streets');
      const remember = { get: () => { try { return localStorage.getItem('streets'); } catch { return null; } },
        set: value => { try { localStorage.setItem('streets', value); } catch { /* not kept, then */ } } };
      const setStreets = () => {
        const isOn = box.checked && navigator.onLine;
        if (isOn) { grid.remove(); streets.addTo(map); } else { streets.remove(); grid.addTo(map); }
        box.disabled = !navigator.onLine;
        $('streets-note').textContent = navigator.onLine ? '' : '(offline)';
        $('streets-label').title = 'Loads tiles from tile.openstreetmap.org';
      };
      box.checked = remember.get() === 'yes';
      box.addEventListener('change', () => { remember.set(box.checked ? 'yes' : 'no'); setStreets(); });
      addEventListener('online', setStreets);
      addEventListener('offline', setStreets);
      setStreets();

      let isFollowing = true;
      const setFollowing = isOn => {
        isFollowing = isOn;
        $('follow').setAttribute('aria-pressed', String(isOn));
      };
      map.on('dragstart', () => setFollowing(false));
      map.getContainer().addEventListener('keydown', event => {
        if (event.key.startsWith('Arrow')) setFollowing(false);
      });

      const traces = new Map();
      let rings = [], dots = [], ringsOf = null, dotsOf = null, last = [new Map(), null];
      const point = (place, device) => [place.lat, nearestTurn(place.lon,
        device && device.longitude !== undefined ? device.longitude : place.lon)];

      const drawTrace = (device, isChosen) => {
        let trace = traces.get(device.name);
        const suffix = isChosen ? '' : ' other';
        if (!trace || trace.isChosen !== isChosen) {
          if (trace) Object.values(trace.shapes).forEach(shape => shape.remove());
          trace = { isChosen, shapes: {
            path: L.polyline([], inPane('paths', 'path' + suffix, { interactive: false, smoothFactor: 1.2 })),
            here: L.circleMarker([0, 0], inPane('heres', 'here' + suffix, { radius: isChosen ? 8 : 6 })),
          } };
          if (isChosen) {
            trace.shapes.error = L.circle([0, 0], inPane('paths', 'error-ring', { interactive: false, radius: 1 }));
            trace.shapes.heading = L.polyline([], inPane('heres', 'heading', { interactive: false }));
          }
          named(trace.shapes.here, device.name || 'You are here');
          Object.values(trace.shapes).forEach(shape => shape.addTo(map));
          trace.shapes.here.bringToFront();
          traces.set(device.name, trace);
        }
        const { shapes } = trace, { position } = device;
        shapes.path.setLatLngs(device.lines);
        if (!position) return;
        const here = point(position, device);
        shapes.here.setLatLng(here);
        if (!shapes.error) return;
        shapes.error.setLatLng(here).setRadius(position.accuracy || 0.01);
        shapes.heading.setLatLngs([]);
        if (position.course !== null && position.speed > 0.5) {
          const centre = map.latLngToLayerPoint(here), angle = position.course * Math.PI / 180;
          const at = far => map.layerPointToLatLng(centre.add([far * Math.sin(angle), -far * Math.cos(angle)]));
          shapes.heading.setLatLngs([at(12), at(20)]);
        }
      };
      const drawRings = device => {
        const wanted = device ? device.monitored : null;
        if (wanted !== ringsOf) {
          rings.forEach(ring => ring.remove());
          ringsOf = wanted;
          rings = (wanted || []).map(one => named(L.circle(point(one, device),
            inPane('rings', one.inside ? 'ring inside' : 'ring', { radius: one.radius })),
            one.title || one.place || 'unnamed').addTo(map));
        }
        const near = device ? device.near : null;
        if (near === dotsOf) return;
        dots.forEach(dot => dot.remove());
        dotsOf = near;
        dots = (near || []).map(one => named(L.circleMarker(point(one, device),
          inPane('rings', 'place', { radius: 3.5 })), one.title || one.place).addTo(map));
      };
      const draw = (devices, chosen) => {
        last = [devices, chosen];
        for (const [name, trace] of traces) {
          if (devices.has(name)) continue;
          Object.values(trace.shapes).forEach(shape => shape.remove());
          traces.delete(name);
        }
        for (const device of devices.values()) drawTrace(device, device.name === chosen);
        drawRings(devices.get(chosen));
      };
      map.on('zoomend', () => {
        const device = last[0].get(last[1]);
        if (device) drawTrace(device, true);
      });

      const bounds = (devices, chosen, isWhole) => {
        const all = L.latLngBounds([]);
        const own = devices.get(chosen);
        for (const device of own ? [own] : devices.values()) {
          if (device.position) all.extend(point(device.position, device));
          if (isWhole || !own) device.lines.forEach(line => line.forEach(vertex => all.extend(vertex)));
          if (!own || isWhole) continue;
          // The nearest circles tell more than all of them, which may reach to the horizon.
          const byDistance = device.position ? [...device.monitored].sort((a, b) =>
            meters(device.position, a) - meters(device.position, b)) : [];
          for (const one of byDistance.slice(0, 12))
            all.extend(L.latLng(point(one, device)).toBounds(2 * one.radius));
        }
        return all;
      };
      const fit = (devices, chosen, isWhole) => {
        const all = bounds(devices, chosen, isWhole);
        if (!all.isValid()) return false;
        map.fitBounds(all, { padding: [28, 28], maxZoom: 17, animate: false });
        return true;
      };
      $('follow').addEventListener('click', () => {
        setFollowing(!isFollowing);
        if (isFollowing) follow(...last, true);
      });
      $('whole').addEventListener('click', () => { setFollowing(false); fit(...last, true); });
      // A device that nears the edge of the picture moves the picture.
      const follow = (devices, chosen, isForced) => {
        const device = devices.get(chosen);
        if (!isFollowing || !device || !device.position) return;
        const here = L.latLng(point(device.position, device));
        if (!isForced && map.getBounds().pad(-0.25).contains(here)) return;
        map.setView(here, map.getZoom(), { animate: !isStill && map.getBounds().contains(here) });
      };
      new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(map.getContainer());

      return {
        draw, follow,
        open: (devices, chosen) => fit(devices, chosen, false),
        mark: (event, kind) => named(L.circleMarker(point(event, last[0].get(event.device || '')),
          inPane('marks', kind === 'alert' ? 'hit-mark' : 'held-mark', { radius: kind === 'alert' ? 7 : 5 })),
          event.title || event.place).addTo(map),
        show: event => {
          setFollowing(false);
          map.setView(point(event, last[0].get(event.device || '')), Math.max(map.getZoom(), 16),
            { animate: !isStill });
        },
        clear: () => {
          for (const trace of traces.values()) Object.values(trace.shapes).forEach(shape => shape.remove());
          traces.clear();
          rings.forEach(ring => ring.remove());
          dots.forEach(dot => dot.remove());
          rings = []; dots = []; ringsOf = dotsOf = null;
        },
      };
    };
    """#
}
