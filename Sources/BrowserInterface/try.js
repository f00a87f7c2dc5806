// The page for newcomers: a walk and stories to drag, replayed by the engine at each move. It is
// one script with engine.js.

const byID = id => document.getElementById(id);
const data = JSON.parse(byID('data').textContent);
const METERS = 111320;
const REASONS = { 'not-published': 'not published yet', expired: 'expired', 'quiet-hours': 'quiet hours', driving: 'moving too fast',
  cooldown: 'alerted recently', grouped: 'another story here alerted instead', budget: 'no free slot' };

/** The engine, from the bytes that the page holds. */
const start = async () => {
  const bytes = Uint8Array.from(atob(byID('module').textContent), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return load(await new Response(stream).arrayBuffer());
};

// ---- what is shown

let stories = structuredClone(data.stories), chosen = null, before = null;
const { lat, lon } = data.fixes, middle = lat[lat.length >> 1] * Math.PI / 180;
const x = degrees => (degrees - lon[0]) * METERS * Math.cos(middle), y = degrees => (lat[0] - degrees) * METERS;
const map = byID('map'), circles = new Map();
const made = (name, attributes) => {
  const one = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  return one;
};
const openMap = () => {
  const xs = lon.map(x), ys = lat.map(y), margin = 250;
  const west = Math.min(...xs) - margin, north = Math.min(...ys) - margin;
  const width = Math.max(...xs) + margin - west, height = Math.max(...ys) + margin - north;
  map.setAttribute('viewBox', `${west} ${north} ${width} ${height}`);
  for (const story of stories) {
    const circle = made('circle', { r: story.radius });
    circle.append(made('title', {}));
    circle.firstChild.textContent = story.title;
    circles.set(story.id, circle);
    map.append(circle);
  }
  map.append(made('polyline', { points: xs.map((one, at) => `${one.toFixed(1)},${ys[at].toFixed(1)}`).join(' ') }));
  const isInside = story => x(story.lon) > west && x(story.lon) < west + width && y(story.lat) > north && y(story.lat) < north + height;
  byID('story').replaceChildren(...stories.filter(isInside).map(story => new Option(story.title, story.id)));
};
const choose = id => {
  circles.get(chosen)?.classList.remove('chosen');
  chosen = id;
  circles.get(chosen).classList.add('chosen');
  byID('story').value = id;
};
const list = (box, rows) => box.replaceChildren(...rows.map(([event, words]) => {
  const item = document.createElement('li'), time = document.createElement('time');
  time.dateTime = event.time;
  time.textContent = event.time.slice(11, 19);
  item.append(time, ` ${words}`);
  return item;
}));
const plural = (number, one, more) => `${number} ${number === 1 ? one : more}`;

/** Shows the lines of events, and what they changed. */
const show = lines => {
  const events = lines.trim().split('\n').map(line => JSON.parse(line)), of = type => events.filter(one => one.type === type);
  const alerts = of('alert'), held = of('suppressed'), { missed, foundLate } = events.at(-1);
  for (const { id, lat: south, lon: west } of stories) {
    const circle = circles.get(id);
    circle.setAttribute('cx', x(west));
    circle.setAttribute('cy', y(south));
    circle.classList.toggle('alert', alerts.some(one => one.place === id));
    circle.classList.toggle('held', held.some(one => one.place === id) && !alerts.some(one => one.place === id));
  }
  byID('result').textContent = plural(alerts.length, 'alert', 'alerts');
  list(byID('alerts'), alerts.map(one => [one, one.title]));
  byID('held-head').hidden = !held.length;
  list(byID('held'), held.map(one => [one, `${one.title}: ${REASONS[one.reason] ?? one.reason}`]));
  byID('missed').textContent = missed + foundLate === 0 ? ''
    : `${plural(missed, 'entry was', 'entries were')} missed and ${foundLate} noticed late, because the phone watched nearer stories.`;
  const now = new Map(alerts.map(one => [one.place, one.title]));
  const only = (own, other) => [...own].filter(([id]) => !other.has(id)).map(([, title]) => title);
  before ??= now;
  byID('change').textContent = [['Gained', only(now, before)], ['Lost', only(before, now)]]
    .filter(([, titles]) => titles.length).map(([word, titles]) => `${word}: ${titles.join(', ')}.`).join(' ');
};

// ---- asking the engine

let engine, isWaiting = false;
/** The lines of events of the stories and rules as they are now. */
const ask = () => {
  const rules = structuredClone(data.rules), places = engine.places(stories);
  rules.monitoring.limit = Number(byID('limit').value) || data.rules.monitoring.limit;
  try {
    return engine.replay(places, JSON.stringify(rules), data.name, data.fixes, 255, true);
  } finally {
    engine.forget(places);
  }
};
/** Replays at the next frame, once. */
const renew = () => {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    show(ask());
  });
};
const move = (id, east, south) => {
  const story = stories.find(one => one.id === id);
  story.lon += east / (METERS * Math.cos(middle));
  story.lat -= south / METERS;
  renew();
};

const wire = () => {
  let last = null;
  const at = event => new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
  map.addEventListener('pointerdown', event => {
    const found = [...circles].find(([, circle]) => circle === event.target);
    if (!found) return;
    choose(found[0]);
    last = at(event);
    map.setPointerCapture(event.pointerId);
  });
  map.addEventListener('pointermove', event => {
    if (!last) return;
    const next = at(event);
    move(chosen, next.x - last.x, next.y - last.y);
    last = next;
  });
  for (const end of ['pointerup', 'pointercancel']) map.addEventListener(end, () => { last = null; });
  const STEPS = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] };
  map.addEventListener('keydown', event => {
    if (!STEPS[event.key]) return;
    event.preventDefault();
    move(chosen, ...STEPS[event.key]);
  });
  byID('story').addEventListener('change', event => choose(event.target.value));
  byID('limit').addEventListener('input', renew);
  byID('again').addEventListener('click', () => {
    stories = structuredClone(data.stories);
    byID('limit').value = data.rules.monitoring.limit;
    renew();
  });
};

openMap();
byID('limit').value = data.rules.monitoring.limit;
byID('fixes').textContent = lat.length.toLocaleString('en-US');
engine = await start();
show(ask());
choose(byID('story').value);
wire();
// For whoever holds the page to the program.
window.trial = { ask, move: (id, south, west) => { Object.assign(stories.find(one => one.id === id), { lat: south, lon: west }); renew(); } };
document.documentElement.dataset.ready = 'true';
