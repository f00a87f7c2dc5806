/// The page's script: what comes, and how it is told.
///
/// Titles, names and addresses are whatever a store and a sender hold; all of them become text, never
/// markup.
enum LiveScript {
  static let page = #"""
    (() => {
      const MOST = { alert: 100, suppressed: 50, vertices: 6000 };
      const devices = new Map();
      const picture = drawMap();
      let chosen = null, hasView = false, hasEnded = false, source = null, retry = 0;
      let counts = { alert: 0, suppressed: 0 };
      let marks = { alert: [], suppressed: [] };
      const lists = { alert: $('alerts'), suppressed: $('quiet') };

      const make = (tag, text, className) => {
        const node = document.createElement(tag);
        if (text !== undefined) node.textContent = text;
        if (className) node.className = className;
        return node;
      };
      const timeNode = iso => {
        const node = make('time', iso ? clock(iso) : 'no time');
        if (iso) { node.dateTime = iso; node.title = iso; }
        return node;
      };
      const nameOf = device => device || 'this device';

      // ---- what comes

      const deviceFor = name => {
        let device = devices.get(name);
        if (!device) {
          device = { name, lines: [], monitored: [], near: [], monitoredCount: 0, fixes: 0,
            alerts: 0, suppressed: 0, vertices: 0, position: null };
          devices.set(name, device);
        }
        return device;
      };
      const takeDevice = news => {
        const device = deviceFor(news.device);
        for (const [index, flat] of news.lines.entries()) {
          let line = device.lines[device.lines.length - 1];
          const joins = index === 0 && news.joins && line;
          if (!joins) { line = []; device.lines.push(line); }
          for (let i = 0; i < flat.length; i += 2) {
            const reference = device.longitude === undefined ? flat[i + 1] : device.longitude;
            device.longitude = nearestTurn(flat[i + 1], reference);
            line.push([flat[i], device.longitude]);
          }
          device.vertices += flat.length / 2;
        }
        for (const key of ['fixes', 'alerts', 'suppressed', 'position', 'monitored',
          'monitoredCount', 'near']) if (news[key] !== undefined) device[key] = news[key];
        return device;
      };
      const showEvent = (item, isNew) => {
        const { event } = item, kind = event.type;
        const list = lists[kind];
        if (!list) return;
        counts[kind] += 1;
        const entry = make('li');
        const row = make('div', undefined, 'row');
        const title = make('button', event.title || event.place);
        title.type = 'button';
        title.addEventListener('click', () => picture.show(event));
        row.append(title, timeNode(event.time));
        entry.append(row);
        if (item.why) entry.append(make('p', item.why, 'why'));
        if (event.blurb) entry.append(make('p', event.blurb));
        const link = safeLink(event.url);
        if (link) {
          const paragraph = make('p'), anchor = make('a', 'Read the story');
          anchor.href = link;
          anchor.rel = 'noopener noreferrer';
          anchor.target = '_blank';
          paragraph.append(anchor);
          entry.append(paragraph);
        }
        const facts = [];
        if (event.device) facts.push(event.device);
        if (event.group && event.group.length) facts.push('also ' + event.group.join(', '));
        if (event.across) facts.push('entered during a gap');
        if (facts.length) entry.append(make('p', facts.join(' · '), 'meta'));
        entry.dataset.place = event.place;
        list.prepend(entry);
        marks[kind].push(picture.mark(event, kind));
        while (list.children.length > MOST[kind]) list.lastChild.remove();
        while (marks[kind].length > MOST[kind]) marks[kind].shift().remove();
        if (!isNew) return;
        entry.classList.add('fresh');
        if (kind === 'alert') announce(event);
      };
      let toastTimer = 0;
      const announce = event => {
        const who = event.device ? `${event.device}: ` : '';
        $('toast').replaceChildren(make('p', who + (event.title || event.place)));
        document.title = `${event.title || event.place} – Fencepost live`;
        clearTimeout(toastTimer);
        toastTimer = setTimeout(() => {
          $('toast').replaceChildren();
          document.title = 'Fencepost live';
        }, 8000);
      };

      // ---- what is told

      const current = () => devices.get(chosen);
      const tellChooser = () => {
        const names = [...devices.keys()].sort();
        $('chooser').hidden = names.length < 2;
        if (chosen === null || (chosen !== ALL && !devices.has(chosen))) chosen = names[0] ?? null;
        const select = $('device');
        const wanted = [...names, ...(names.length > 1 ? [ALL] : [])];
        if ([...select.options].map(one => one.value).join('\n') !== wanted.join('\n')) {
          select.replaceChildren(...wanted.map(name => {
            const option = make('option', name === ALL ? `All ${names.length} devices` : nameOf(name));
            option.value = name;
            return option;
          }));
        }
        if (chosen !== null) select.value = chosen;
      };
      const tellNow = () => {
        const device = current(), position = device && device.position;
        const all = [...devices.values()];
        const sum = key => all.reduce((total, one) => total + one[key], 0);
        const shown = device || { fixes: sum('fixes'), monitoredCount: sum('monitoredCount') };
        $('fact-position').textContent = position
          ? `${position.lat.toFixed(5)}, ${position.lon.toFixed(5)}` : '–';
        $('fact-time').replaceChildren(position ? timeNode(position.time) : '–');
        $('fact-speed').textContent = position && position.speed !== null
          ? `${(position.speed * 3.6).toFixed(1)} km/h` : '–';
        $('fact-accuracy').textContent = position && position.accuracy !== null
          ? `± ${distanceWords(position.accuracy)}` : '–';
        $('fact-fixes').textContent = number(shown.fixes);
        $('fact-monitored').textContent = number(shown.monitoredCount);
        $('alert-count').textContent = number(counts.alert);
        $('quiet-count').textContent = number(counts.suppressed);
        $('no-alerts').hidden = counts.alert > 0;
        $('no-quiet').hidden = counts.suppressed > 0;
      };
      const tellMonitored = () => {
        const device = current();
        const rows = device && device.position ? device.monitored.map(one => ({ one,
          toEdge: meters(device.position, one) - one.radius })) : [];
        rows.sort((a, b) => Math.abs(a.toEdge) - Math.abs(b.toEdge) || (a.one.place < b.one.place ? -1 : 1));
        $('no-monitored').hidden = rows.length > 0;
        $('no-monitored').textContent = chosen === ALL ? 'Choose a device to see its circles.' : 'None yet.';
        $('monitored').replaceChildren(...rows.map(({ one, toEdge }) => {
          const row = make('tr', undefined, one.inside ? 'inside' : '');
          row.append(make('td', one.title || one.place || 'unnamed'),
            make('td', one.inside ? `inside, ${distanceWords(Math.max(0, -toEdge))} deep`
              : distanceWords(Math.max(0, toEdge))),
            make('td', distanceWords(one.radius)));
          return row;
        }));
        const next = $('next');
        const inside = rows.filter(row => row.one.inside);
        const ahead = rows.find(row => !row.one.inside);
        if (inside.length) {
          next.replaceChildren('Inside ', make('strong', inside.map(row => row.one.title || row.one.place).join(', ')));
        } else if (ahead) {
          next.replaceChildren(`${distanceWords(Math.max(0, ahead.toEdge))} to the edge of `,
            make('strong', ahead.one.title || ahead.one.place || 'an unnamed place'));
        } else {
          next.textContent = chosen === ALL ? `${number(devices.size)} devices on the map.`
            : device && device.position ? 'Nothing is monitored.' : 'Waiting for a first fix.';
        }
      };
      const tell = () => {
        tellChooser();
        tellNow();
        tellMonitored();
        picture.draw(devices, chosen);
        if (!hasView) hasView = picture.open(devices, chosen);
        else picture.follow(devices, chosen);
        document.body.dataset.ready = 'true';
      };

      // ---- the stream

      const setLink = (state, words) => {
        $('link').dataset.state = state;
        $('link').textContent = words;
      };
      const takeCommon = news => {
        $('source').textContent = news.source;
        hasEnded = news.ended;
        setLink(hasEnded ? 'over' : 'live', hasEnded ? 'ended' : 'live');
        for (const device of news.devices) takeDevice(device);
      };
      const takeState = news => {
        devices.clear();
        counts = { alert: 0, suppressed: 0 };
        for (const kind of Object.keys(marks)) {
          marks[kind].forEach(mark => mark.remove());
          marks[kind] = [];
          lists[kind].replaceChildren();
        }
        picture.clear();
        $('rule').textContent = news.rule[0].toUpperCase() + news.rule.slice(1) + '.';
        takeCommon(news);
        for (const item of news.events) showEvent(item, false);
        // A list holds the last ones only; the devices know how many there were.
        for (const device of devices.values()) device.known = true;
        const sum = key => [...devices.values()].reduce((total, one) => total + one[key], 0);
        counts.alert = Math.max(counts.alert, sum('alerts'));
        counts.suppressed = Math.max(counts.suppressed, sum('suppressed'));
        tell();
      };
      const takeChange = news => {
        takeCommon(news);
        for (const item of news.events) showEvent(item, true);
        // A path that has grown long is asked for anew, thinned out.
        if ([...devices.values()].some(one => one.vertices > MOST.vertices)) return connect();
        tell();
      };
      const connect = () => {
        if (source) source.close();
        source = new EventSource('events');
        source.addEventListener('state', message => takeState(JSON.parse(message.data)));
        source.addEventListener('change', message => takeChange(JSON.parse(message.data)));
        source.onopen = () => { retry = 0; if (!hasEnded) setLink('live', 'live'); };
        source.onerror = () => {
          if (hasEnded) setLink('over', 'ended');
          else setLink('gone', 'reconnecting');
          // The browser tries again by itself, unless it was turned away.
          if (source.readyState !== EventSource.CLOSED) return;
          retry = Math.min(retry + 1, 6);
          setTimeout(connect, 1000 * retry);
        };
      };
      $('device').addEventListener('change', event => {
        chosen = event.target.value;
        picture.clear();
        hasView = false;
        tell();
      });
      setLink('wait', 'connecting');
      connect();
      addEventListener('pagehide', () => source.close());
      addEventListener('pageshow', event => { if (event.persisted) connect(); });
    })();
    """#
}
