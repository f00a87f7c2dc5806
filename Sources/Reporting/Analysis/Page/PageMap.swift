/// The page's script: the map.
enum PageMap {
  static let script = #"""
    if (!data.sweepOnly) (() => {
      // Canvas instead of a node for each shape: ten thousand circles stay fluid.
      const canvas = L.canvas({ padding: 0.3, tolerance: 4 });
      const map = L.map('map', { renderer: canvas, preferCanvas: true, worldCopyJump: false,
        zoomControl: true, attributionControl: true, zoomSnap: 0.5 });
      map.attributionControl.setPrefix('Leaflet');
      L.control.scale({ imperial: true }).addTo(map);
      const layers = {}, styles = {
        alert: { radius: 5, color: '#00795a', weight: 1.5, fillColor: '#00a878', fillOpacity: .9 },
        suppressed: { radius: 4, color: '#5f6b78', weight: 1.5, fillColor: '#aab4bf', fillOpacity: .9 },
        late: { radius: 5, color: '#e69f00', weight: 3, fillColor: '#fff', fillOpacity: .9 },
        missed: { radius: 6, color: '#d6390b', weight: 3, fillColor: '#fff', fillOpacity: .9 },
      };
      const names = { alert: 'alert', suppressed: 'suppressed entry', late: 'late entry',
        missed: 'missed entry' };
      for (const name of ['circle', 'track', 'suppressed', 'alert', 'late', 'missed', 'crowd'])
        layers[name] = L.layerGroup();

      const trackLines = tracks.map(track => {
        const lines = track.line.map(flat => {
          const points = [];
          let lat = 0, lon = 0;
          for (let i = 0; i < flat.length; i += 2) {
            lat += flat[i]; lon += flat[i + 1];
            points.push([lat / 1e6, lon / 1e6]);
          }
          return points;
        });
        const shape = L.polyline(lines, { color: '#41576e', weight: 1.6, opacity: .55,
          smoothFactor: 1.5 });
        shape.bindTooltip(track.name, { sticky: true });
        shape.on('click', () => chooseTrack(track.index, false));
        return shape.addTo(layers.track);
      });
      const circles = stories.map(one => {
        const isMet = one.met > 0;
        const shape = L.circle([one.lat, one.lon], { radius: one.radius, weight: isMet ? 1.4 : .8,
          color: one.lost ? '#d6390b' : isMet ? '#2f74c0' : '#8895a3',
          fillColor: one.lost ? '#f9d9cf' : isMet ? '#cfe2f7' : '#e5e9ed',
          fillOpacity: isMet ? .35 : .2 });
        shape.on('mouseover', () => {
          if (!shape.getTooltip()) shape.bindTooltip(`${one.title}: ${verdict(one)}`, { sticky: true });
          shape.openTooltip();
        });
        shape.on('click', () => chooseStory(one.index, false));
        return shape.addTo(layers.circle);
      });
      for (const [kind, index, lat, lon, times] of data.entries) {
        const name = KINDS[kind], one = stories[index];
        const mark = L.circleMarker([lat / 1e6, lon / 1e6], styles[name]);
        mark.on('mouseover', () => {
          if (!mark.getTooltip()) mark.bindTooltip(
            `${one.title}: ${names[name]}${times > 1 ? ` (${times} times here)` : ''}`);
          mark.openTooltip();
        });
        mark.on('click', () => chooseStory(index, false));
        mark.addTo(layers[name]);
      }
      for (const spot of data.spots) {
        L.circleMarker([spot[0], spot[1]], { radius: 7, color: '#4d1458', weight: 2,
          fillColor: '#7b2d8b', fillOpacity: .6 })
          .bindTooltip(`${spot[2]} circles overlap here, ${count(spot[3])} tracks`).addTo(layers.crowd);
      }
      const order = ['circle', 'track', 'crowd', 'suppressed', 'alert', 'late', 'missed'];
      const show = () => {
        // Shapes are painted in the order in which they are added.
        for (const name of order) layers[name].remove();
        for (const name of order) if ($('show-' + name).checked) layers[name].addTo(map);
      };
      order.forEach(name => $('show-' + name).addEventListener('change', show));

      // Streets are loaded from the network, and only if the reader asks for them.
      const streets = L.tileLayer('https://tile.openstreetmap.org/{z}/{x}/{y}.png', {
        maxZoom: 19, attribution: '© OpenStreetMap contributors' });
      const streetBox = $('show-streets');
      const setStreets = () => streetBox.checked ? streets.addTo(map) : streets.remove();
      streetBox.addEventListener('change', setStreets);
      const setOnline = () => {
        streetBox.disabled = !navigator.onLine;
        $('streets-note').textContent = navigator.onLine ? '(loads tiles from openstreetmap.org)'
          : '(needs to be online)';
      };
      addEventListener('online', setOnline);
      addEventListener('offline', setOnline);
      setOnline();

      const whole = L.latLngBounds([]);
      trackLines.forEach(line => { if (line.getBounds().isValid()) whole.extend(line.getBounds()); });
      if (!whole.isValid()) stories.forEach(one => whole.extend([one.lat, one.lon]));
      const fit = () => whole.isValid() ? map.fitBounds(whole, { padding: [16, 16], animate: false })
        : map.setView([0, 0], 1);
      fit();
      show();
      $('whole').addEventListener('click', () => { mark(null); fit(); });

      let marked = [];
      const mark = shapes => {
        marked.forEach(shape => shape.remove());
        marked = (shapes || []).map(shape => shape.addTo(map));
      };
      window.showStory = index => {
        const one = stories[index];
        const bounds = L.latLng(one.lat, one.lon).toBounds(Math.max(one.radius * 5, 600));
        map.fitBounds(bounds, { animate: false });
        mark([L.circle([one.lat, one.lon], { radius: one.radius, color: '#111', weight: 3,
          fill: false, dashArray: '6 4', interactive: false })]);
      };
      window.showTrack = index => {
        const line = trackLines[index];
        if (!line.getBounds().isValid()) return;
        map.fitBounds(line.getBounds(), { padding: [24, 24], animate: false });
        mark([L.polyline(line.getLatLngs(), { color: '#111', weight: 4, opacity: .9,
          interactive: false })]);
      };
      addEventListener('beforeprint', () => map.invalidateSize({ animate: false }));
      window.reportMap = map;
    })();
    """#
}
