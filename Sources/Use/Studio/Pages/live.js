// The live page: reads the event stream and fills the lists beside the map.
//
// Titles, names and addresses come from a store and from senders, so they are only ever shown as
// text.

/** The map stops saying “live” this many seconds after the last fix. */
const STALE_SECONDS = 60;

(() => {
  const MOST = { alert: 100, suppressed: 50, vertices: 6000 };
  const devices = new Map();
  const picture = drawMap();
  const callers = offerCalls();
  let chosen = null, hasView = false, hasHome = false, hasEnded = false, source = null, retry = 0;
  let counts = { alert: 0, suppressed: 0 };
  let marks = { alert: [], suppressed: [] };
  const lists = { alert: $('alerts'), suppressed: $('quiet') };

  const timeNode = (iso) => {
    const node = element('time', iso ? clock(iso) : 'no time');
    if (iso) {
      node.dateTime = iso;
      node.title = fullClock(iso);
    }
    return node;
  };
  const nameOf = (device) => cut(device || 'this device', 60);
  const titleOf = (one) => cut(one.title || one.place || 'Untitled', MOST_TITLE);
  /** Gives a node the whole of a shortened title as its tooltip. */
  const withWhole = (node, one) => {
    if (titleOf(one).endsWith('…')) node.title = String(one.title).slice(0, 2000);
    return node;
  };

  // ---- incoming changes

  const deviceFor = (name) => {
    let device = devices.get(name);
    if (!device) {
      device = {
        name,
        lines: [],
        monitored: [],
        near: [],
        monitoredCount: 0,
        fixes: 0,
        alerts: 0,
        suppressed: 0,
        vertices: 0,
        position: null,
        heard: null,
      };
      devices.set(name, device);
      // Colors follow the order of names, so that a device has the same color on every page.
      [...devices.keys()].sort().forEach((one, index) => {
        devices.get(one).color = index % COLORS;
      });
    }
    return device;
  };
  const takeDevice = (news) => {
    const device = deviceFor(news.device);
    if (news.position) device.heard = news.position.age === null ? null : Date.now() - 1000 * news.position.age;
    for (const [index, flat] of news.lines.entries()) {
      let line = device.lines[device.lines.length - 1];
      const joins = index === 0 && news.joins && line;
      if (!joins) {
        line = [];
        device.lines.push(line);
      }
      for (let i = 0; i < flat.length; i += 2) {
        const reference = device.longitude === undefined ? flat[i + 1] : device.longitude;
        device.longitude = nearestTurn(flat[i + 1], reference);
        line.push(worldX(device.longitude), worldY(flat[i]));
      }
      device.vertices += flat.length / 2;
    }
    for (const key of ['fixes', 'alerts', 'suppressed', 'position', 'monitored', 'monitoredCount', 'near']) {
      if (news[key] !== undefined) device[key] = news[key];
    }
    return device;
  };
  const showEvent = (item, isNew) => {
    const { event } = item, kind = event.type;
    const list = lists[kind];
    if (!list) return;
    counts[kind] += 1;
    const entry = element('li');
    const row = element('div', undefined, 'row');
    const title = withWhole(element('button', titleOf(event)), event);
    title.type = 'button';
    title.addEventListener('click', () => picture.show(event));
    row.append(title, timeNode(event.time));
    entry.append(row);
    if (item.why) entry.append(element('p', item.why, 'why'));
    if (event.blurb) entry.append(element('p', cut(event.blurb, 600)));
    const link = safeLink(event.url);
    if (link) {
      const paragraph = element('p'), anchor = element('a', 'Read the story');
      anchor.href = link;
      anchor.rel = 'noopener noreferrer';
      anchor.target = '_blank';
      paragraph.append(anchor);
      entry.append(paragraph);
    }
    const facts = [];
    if (event.device) facts.push(nameOf(event.device));
    if (event.group && event.group.length) facts.push(cut('with ' + event.group.join(', '), 400));
    if (event.across) facts.push('entered during a gap');
    if (facts.length) entry.append(element('p', facts.join(' · '), 'meta'));
    entry.dataset.place = event.place;
    entry.dataset.device = event.device || '';
    list.prepend(entry);
    marks[kind].push(picture.mark(event, kind));
    while (list.children.length > MOST[kind]) list.lastChild.remove();
    while (marks[kind].length > MOST[kind]) marks[kind].shift().remove();
    if (!isNew) return;
    entry.classList.add('fresh');
    if (kind === 'alert' && isChosen(event.device || '')) announce(event);
  };
  let toastTimer = 0;
  const announce = (event) => {
    const who = event.device ? `${nameOf(event.device)}: ` : '';
    $('toast').replaceChildren(element('p', who + titleOf(event)));
    document.title = `${cut(titleOf(event), 60)} – Fencepost live`;
    callers.call(who + titleOf(event), cut(event.blurb || '', 200));
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => {
      $('toast').replaceChildren();
      document.title = 'Fencepost live';
    }, 8000);
  };

  // ---- what the page shows

  const current = () => devices.get(chosen);
  const isChosen = (name) => chosen === null || chosen === ALL || chosen === name;
  /** Seconds since the fix was recorded; null for a fix without a time. */
  const madeBefore = ({ position }) => position?.time ? (Date.now() - Date.parse(position.time)) / 1000 : null;
  /**
   * Seconds since the server received a device's last fix or, if that was before a restart, since
   * it was recorded.
   */
  const age = (device) => device.heard === null ? madeBefore(device) : (Date.now() - device.heard) / 1000;
  /** When the last fix arrived and, if it was sent later, when it was recorded. */
  const heardWords = (device) => {
    const heard = age(device), made = madeBefore(device);
    if (heard === null) return '–';
    return ageWords(heard) + (made - heard > STALE_SECONDS ? `, recorded ${ageWords(made)}` : '');
  };
  const showAges = () => {
    const device = current();
    const ages = [...devices.values()].map(age).filter((one) => one !== null);
    const own = device ? age(device) : ages.length ? Math.min(...ages) : null;
    $('fact-age').textContent = device ? heardWords(device) : own === null ? '–' : ageWords(own);
    $('fact-age').classList.toggle('stale', own !== null && own > STALE_SECONDS);
    for (const row of $('crew').children) {
      const one = devices.get(row.dataset.device), seconds = one && age(one);
      row.lastChild.textContent = seconds === null || seconds === undefined ? 'no fixes' : ageWords(seconds);
      row.classList.toggle('stale', seconds !== null && seconds > STALE_SECONDS);
    }
    if (hasEnded || $('link').dataset.state === 'gone' || $('link').dataset.state === 'wait') return;
    const least = ages.length ? Math.min(...ages) : null;
    if (least === null) setLink('live', devices.size ? 'live' : 'live, no fixes yet');
    else if (least > STALE_SECONDS) setLink('stale', `stale: last fix ${ageWords(least)}`);
    else setLink('live', 'live');
  };
  const choose = (name) => {
    chosen = name;
    hasView = false;
    showAll();
  };
  const showCrew = () => {
    const names = [...devices.keys()].sort();
    $('crew').hidden = names.length < 2;
    if (names.length < 2) return $('crew').replaceChildren();
    $('crew').replaceChildren(
      ...names.slice(0, 12).map((name) => {
        const row = element('li'), button = element('button', nameOf(name));
        row.dataset.device = name;
        row.dataset.color = devices.get(name).color;
        button.type = 'button';
        button.setAttribute('aria-pressed', String(name === chosen));
        button.addEventListener('click', () => choose(name === chosen ? ALL : name));
        row.append(element('i'), button, element('span', ''));
        return row;
      }),
    );
  };
  /** Shows the events of the chosen device, or of all devices. */
  const filterEvents = () => {
    for (const kind of Object.keys(lists)) {
      let shown = 0;
      for (const entry of lists[kind].children) {
        entry.hidden = !isChosen(entry.dataset.device);
        if (!entry.hidden) shown += 1;
      }
      const key = kind === 'alert' ? 'alerts' : 'suppressed', device = current();
      const total = device ? Math.max(shown, device[key]) : counts[kind];
      $(kind === 'alert' ? 'alert-count' : 'quiet-count').textContent = count(total);
      $(kind === 'alert' ? 'no-alerts' : 'no-quiet').hidden = shown > 0;
    }
  };
  const showChooser = () => {
    const names = [...devices.keys()].sort();
    $('chooser').hidden = names.length < 2;
    if (chosen === null || (chosen !== ALL && !devices.has(chosen))) chosen = names[0] ?? null;
    const select = $('device');
    const wanted = [...names, ...(names.length > 1 ? [ALL] : [])];
    if ([...select.options].map((one) => one.value).join('\n') !== wanted.join('\n')) {
      select.replaceChildren(...wanted.map((name) => {
        const option = element('option', name === ALL ? `All ${names.length} devices` : nameOf(name));
        option.value = name;
        return option;
      }));
    }
    if (chosen !== null) select.value = chosen;
  };
  const showNow = () => {
    const device = current(), position = device && device.position;
    const all = [...devices.values()];
    const sum = (key) => all.reduce((total, one) => total + one[key], 0);
    const shown = device || { fixes: sum('fixes'), monitoredCount: sum('monitoredCount') };
    $('fact-position').textContent = position ? `${position.lat.toFixed(5)}, ${position.lon.toFixed(5)}` : '–';
    $('fact-time').replaceChildren(position && position.time ? fullClock(position.time) : '–');
    $('fact-speed').textContent = position && position.speed !== null ? speedWords(position.speed) : '–';
    $('fact-accuracy').textContent = position && position.accuracy !== null
      ? `± ${distanceWords(position.accuracy)}`
      : '–';
    $('fact-fixes').textContent = count(shown.fixes);
    $('fact-monitored').textContent = count(shown.monitoredCount);
  };
  const showMonitored = () => {
    const device = current();
    const rows = device && device.position
      ? device.monitored.map((one) => ({ one, toEdge: meters(device.position, one) - one.radius }))
      : [];
    rows.sort((a, b) => Math.abs(a.toEdge) - Math.abs(b.toEdge) || (a.one.place < b.one.place ? -1 : 1));
    $('no-monitored').hidden = rows.length > 0;
    $('no-monitored').textContent = chosen === ALL ? 'Choose a device to see its circles.' : 'No circles yet.';
    $('monitored').replaceChildren(...rows.map(({ one, toEdge }) => {
      const row = element('tr', undefined, one.inside ? 'inside' : '');
      row.append(
        withWhole(element('td', titleOf(one)), one),
        element(
          'td',
          one.inside
            ? `inside, ${distanceWords(Math.max(0, -toEdge))} from the edge`
            : distanceWords(Math.max(0, toEdge)),
        ),
        element('td', distanceWords(one.radius)),
      );
      return row;
    }));
    const next = $('next');
    const inside = rows.filter((row) => row.one.inside);
    const ahead = rows.find((row) => !row.one.inside);
    if (inside.length) {
      next.replaceChildren('Inside ', element('strong', cut(inside.map((row) => titleOf(row.one)).join(', '), 300)));
    } else if (ahead) {
      next.replaceChildren(
        `${distanceWords(Math.max(0, ahead.toEdge))} to the edge of `,
        element('strong', titleOf(ahead.one)),
      );
    } else {
      next.textContent = chosen === ALL
        ? `${count(devices.size)} devices on the map.`
        : device && device.position
        ? 'No circle is watched.'
        : 'Waiting for the first fix.';
    }
  };
  const showAll = () => {
    showChooser();
    showCrew();
    showNow();
    filterEvents();
    showAges();
    showMonitored();
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
  const takeCommon = (news) => {
    $('source').textContent = news.source;
    hasEnded = news.ended;
    setLink(hasEnded ? 'over' : 'live', hasEnded ? 'ended' : 'live');
    for (const device of news.devices) takeDevice(device);
  };
  const takeState = (news) => {
    isImperial = news.units === 'imperial';
    takeZone(news.zone);
    picture.waitAt(news.near ?? []);
    devices.clear();
    counts = { alert: 0, suppressed: 0 };
    for (const kind of Object.keys(marks)) {
      marks[kind].forEach((mark) => mark.remove());
      marks[kind] = [];
      lists[kind].replaceChildren();
    }
    $('rule').textContent = news.rule[0].toUpperCase() + news.rule.slice(1) + '.';
    takeCommon(news);
    if (!hasHome && news.home) hasHome = picture.goHome(news.home);
    for (const item of news.events) showEvent(item, false);
    // The lists are limited; the devices have the whole counts.
    for (const device of devices.values()) device.known = true;
    const sum = (key) => [...devices.values()].reduce((total, one) => total + one[key], 0);
    counts.alert = Math.max(counts.alert, sum('alerts'));
    counts.suppressed = Math.max(counts.suppressed, sum('suppressed'));
    showAll();
  };
  const takeChange = (news) => {
    takeCommon(news);
    for (const item of news.events) showEvent(item, true);
    // Connect again once a path is long: the server then sends it simplified.
    if ([...devices.values()].some((one) => one.vertices > MOST.vertices)) return connect();
    showAll();
  };
  const connect = () => {
    if (source) source.close();
    source = new EventSource('events');
    source.addEventListener('state', (message) => takeState(JSON.parse(message.data)));
    source.addEventListener('change', (message) => takeChange(JSON.parse(message.data)));
    source.onopen = () => {
      retry = 0;
      if (!hasEnded) setLink('live', 'live');
    };
    source.onerror = () => {
      if (hasEnded) setLink('over', 'ended');
      else setLink('gone', 'reconnecting');
      // The browser reconnects by itself, unless the server refused it.
      if (source.readyState !== EventSource.CLOSED) return;
      retry = Math.min(retry + 1, 6);
      setTimeout(connect, 1000 * retry);
      fetch('state', { method: 'HEAD' }).then(
        (answer) => answer.status === 401 && setLink('gone', 'signed out – reload this page'),
        () => {},
      );
    };
  };
  $('device').addEventListener('change', (event) => choose(event.target.value));
  setInterval(showAges, 1000);
  setLink('wait', 'connecting');
  connect();
  addEventListener('pagehide', () => source.close());
  addEventListener('pageshow', (event) => {
    if (event.persisted) connect();
  });
})();
