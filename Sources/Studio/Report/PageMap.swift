/// The page's script: the map and what is chosen on it.
enum PageMap {
  static let script = #"""
    if (!data.sweepOnly) (() => {
      // Without animation nothing is drawn that is thrown away at once.
      const map = L.map('map', { zoomAnimation: false, fadeAnimation: false, zoomSnap: .25,
        zoomDelta: .75, wheelPxPerZoomLevel: 90 });
      map.attributionControl.setPrefix('Leaflet');
      L.control.scale({ imperial: true }).addTo(map);
      const names = { alert: 'alert', suppressed: 'held back', late: 'late entry',
        missed: 'missed entry' };
      for (const one of stories) { one.x = worldX(one.lon); one.y = worldY(one.lat); }
      for (const track of tracks) track.lines = track.line.map(flat => {
        const line = new Float64Array(flat.length);
        let lat = 0, lon = 0;
        for (let i = 0; i < flat.length; i += 2) {
          lat += flat[i]; lon += flat[i + 1];
          // Across the antimeridian a line goes on beyond the edge of the map.
          const turns = i ? Math.round(line[i - 2] - worldX(lon / 1e6)) : 0;
          line[i] = worldX(lon / 1e6) + turns; line[i + 1] = worldY(lat / 1e6);
        }
        return line;
      });
      const marks = { alert: [], suppressed: [], late: [], missed: [], crowd: [] };
      for (const [kind, story, lat, lon, times] of data.entries)
        marks[KINDS[kind]].push({ x: worldX(lon / 1e6), y: worldY(lat / 1e6), story, times });
      for (const [lat, lon, circles, met] of data.spots)
        marks.crowd.push({ x: worldX(lon), y: worldY(lat), circles, met });
      const drawing = new Drawing({ stories, tracks, marks });

      // Bounds of what matters: the tracks, or the stories where there are none.
      const bounds = lines => {
        let west = Infinity, east = -Infinity, north = Infinity, south = -Infinity;
        for (const line of lines) for (let i = 0; i < line.length; i += 2) {
          west = Math.min(west, line[i]); east = Math.max(east, line[i]);
          north = Math.min(north, line[i + 1]); south = Math.max(south, line[i + 1]);
        }
        if (!(west <= east)) return null;
        const corner = (x, y) => map.unproject([x * 256, y * 256], 0);
        return L.latLngBounds(corner(west, south), corner(east, north));
      };
      const whole = bounds(tracks.flatMap(track => track.lines))
        || bounds(stories.map(one => [one.x, one.y]));
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

      const words = found => {
        if (found.track) return found.track.label;
        if (found.story) return `${found.story.title}: ${verdict(found.story)}`;
        if (found.kind === 'crowd') return `${found.mark.circles} circles overlap here, on `
          + `${count(found.mark.met)} tracks`;
        const times = found.mark.times;
        return `${stories[found.mark.story].title}: ${names[found.kind]}`
          + (times > 1 ? ` (${count(times)} times here)` : '');
      };
      const tip = L.tooltip({ direction: 'top', offset: [0, -6] });
      let wanted = null;
      map.on('mousemove', event => {
        if (wanted) { wanted = event; return; }
        wanted = event;
        requestAnimationFrame(() => {
          const found = drawing.find(wanted.containerPoint);
          map.getContainer().style.cursor = found ? 'pointer' : '';
          // Titles are text, whatever is written in them.
          if (found) map.openTooltip(tip.setLatLng(wanted.latlng).setContent(element('span', words(found))));
          else map.closeTooltip(tip);
          wanted = null;
        });
      });
      map.on('mouseout movestart', () => map.closeTooltip(tip));
      map.on('click', event => {
        const found = drawing.find(event.containerPoint);
        if (!found) return;
        if (found.track) chooseTrack(found.track.index, false);
        else if (found.story) chooseStory(found.story.index, false);
        else if (found.kind !== 'crowd') chooseStory(found.mark.story, false);
      });

      // Streets are loaded from the network, and only if the reader asks for them.
      const streets = L.tileLayer('https://tile.openstreetmap.org/{z}/{x}/{y}.png', {
        maxZoom: 19, opacity: .75, attribution: '© OpenStreetMap contributors' });
      const streetBox = $('show-streets');
      streetBox.addEventListener('change', () => streetBox.checked ? streets.addTo(map) : streets.remove());
      const setOnline = () => {
        streetBox.disabled = !navigator.onLine;
        $('streets-note').textContent = navigator.onLine
          ? '(asks openstreetmap.org for the map of this area)' : '(needs to be online)';
      };
      addEventListener('online', setOnline);
      addEventListener('offline', setOnline);
      setOnline();

      const choose = (story, track) => { drawing.chosenStory = story; drawing.chosenTrack = track; };
      $('whole').addEventListener('click', () => { choose(); show(whole, 16); drawing.draw(); });
      window.showStory = index => {
        const one = stories[index];
        choose(one);
        map.fitBounds(L.latLng(one.lat, one.lon).toBounds(Math.max(one.radius * 5, 600)), { animate: false });
        drawing.draw();
      };
      window.showTrack = index => {
        choose(undefined, tracks[index]);
        show(bounds(tracks[index].lines), 24);
        drawing.draw();
      };
      // On paper the map is as wide as the paper, not as the window.
      const box = $('map');
      addEventListener('beforeprint', () => {
        box.style.width = '17.5cm'; box.style.height = '12cm';
        map.invalidateSize({ animate: false }); show(whole, 10); drawing.draw();
      });
      addEventListener('afterprint', () => {
        box.style.width = box.style.height = '';
        map.invalidateSize({ animate: false }); show(whole, 16); drawing.draw();
      });
      window.reportMap = map;
      window.reportDrawing = drawing;
    })();
    """#
}
