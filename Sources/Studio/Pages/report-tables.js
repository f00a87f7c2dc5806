// The report's data, its tables, and what is chosen in them.

const data = JSON.parse(document.getElementById('data').textContent);
const KINDS = ['alert', 'suppressed', 'late', 'missed'];
const percent = (a, b) => {
  if (!b) return '–';
  let tenths = Math.round(a / b * 1000);
  if (a < b) tenths = Math.min(tenths, 999);
  if (a > 0) tenths = Math.max(tenths, 1);
  return (tenths / 10).toFixed(1) + ' %';
};
const distance = mm => mm == null ? '–' : mm < 100000 ? (mm / 1000).toFixed(1) + ' m'
  : mm < 10000000 ? Math.round(mm / 1000) + ' m' : (mm / 1e6).toFixed(1) + ' km';
const story = row => ({
  id: row[0], title: row[1] || row[0], category: row[2], lat: row[3] / 1e6, lon: row[4] / 1e6,
  radius: row[5], alerted: row[6], suppressed: row[7], late: row[8], missed: row[9],
  inside: row[10], never: row[11], alerts: row[12], oracle: row[13], found: row[14],
  entries: row[15], nearest: row[16], nearestTrack: row[17], why: row[18], odds: row[19] || [],
});
const stories = data.stories.map(story);
stories.forEach((one, index) => {
  one.index = index;
  one.lost = one.late + one.missed;
  one.met = one.alerted + one.suppressed + one.late + one.missed + one.inside;
  one.recall = one.oracle ? one.found / one.oracle : -1;
  one.text = (one.id + ' ' + one.title + ' ' + one.category).toLowerCase();
});
// Simulated phones, each with a probability for each story that should alert.
const phones = data.phones || [];
stories.forEach(one => phones.forEach((phone, index) => {
  one['phone' + index] = one.odds[index] ? one.odds[index][0] : -1;
}));
const likelihood = share => share < 0 ? '' : share < .5 ? 'bad' : share < .8 ? 'warn' : 'good';
const tracks = data.tracks;
// The folder that all tracks are in is said once, above the table.
const folder = tracks.length < 2 ? '' : tracks.map(one => one.name).reduce((a, b) => {
  let end = 0;
  while (end < a.length && a[end] === b[end]) end++;
  return end ? a.slice(0, a.lastIndexOf('/', end - 1) + 1) : '';
});
tracks.forEach((one, index) => {
  one.index = index;
  one.label = one.name.slice(folder.length);
  one.text = one.name.toLowerCase();
  one.lost = one.late + one.missed;
  one.km = one.mm / 1e6;
  one.recall = one.oracle ? one.found / one.oracle : -1;
  one.rate = one.km ? one.refreshes / one.km : 0;
});

// A table that sorts, searches and turns pages; rows are made for the page that is seen.
class Table {
  constructor(id, rows, columns, order, filters, onChoose) {
    Object.assign(this, { id, rows, columns, filters, onChoose, page: 0, size: 25 });
    this.key = order; this.down = true; this.chosen = -1;
    this.body = $(id).tBodies[0];
    $(id).querySelectorAll('th button').forEach(button => {
      button.addEventListener('click', () => this.sortBy(button.dataset.key));
    });
    $(id + '-search').addEventListener('input', () => { this.page = 0; this.show(); });
    const filter = $(id + '-filter');
    if (filter) filter.addEventListener('change', () => { this.page = 0; this.show(); });
    $(id + '-back').addEventListener('click', () => { this.page--; this.show(); });
    $(id + '-next').addEventListener('click', () => { this.page++; this.show(); });
    // On paper nobody can turn the page.
    const size = this.size;
    addEventListener('beforeprint', () => { this.size = 150; this.show(); });
    addEventListener('afterprint', () => { this.size = size; this.show(); });
    this.show();
  }
  sortBy(key) {
    const isText = typeof this.rows[0]?.[key] === 'string';
    this.down = this.key === key ? !this.down : !isText;
    this.key = key; this.page = 0; this.show();
  }
  found() {
    const words = $(this.id + '-search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const filter = $(this.id + '-filter');
    const passes = filter ? this.filters[filter.value] : () => true;
    const rows = this.rows.filter(row => passes(row) && words.every(w => row.text.includes(w)));
    const sign = this.down ? -1 : 1, key = this.key;
    return rows.sort((a, b) => {
      const x = a[key] ?? Infinity, y = b[key] ?? Infinity;
      return x < y ? -sign : x > y ? sign : a.index - b.index;
    });
  }
  show() {
    const rows = this.found(), pages = Math.max(1, Math.ceil(rows.length / this.size));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const first = this.page * this.size, shown = rows.slice(first, first + this.size);
    this.body.replaceChildren(...shown.map(row => this.row(row)));
    $(this.id + '-range').textContent = rows.length
      ? `${count(first + 1)}–${count(first + shown.length)} of ${count(rows.length)}`
        + (rows.length < this.rows.length ? ` (of ${count(this.rows.length)} in all)` : '')
      : 'nothing found';
    $(this.id + '-back').disabled = this.page === 0;
    $(this.id + '-next').disabled = this.page >= pages - 1;
    $(this.id).querySelectorAll('th').forEach(head => {
      const key = head.querySelector('button')?.dataset.key;
      if (key === this.key) head.setAttribute('aria-sort', this.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
  }
  row(row) {
    const made = element('tr');
    if (row.index === this.chosen) made.className = 'chosen';
    this.columns.forEach((column, position) => {
      const value = column(row), cell = element('td');
      if (position === 0) {
        const link = element('button', value, 'link');
        link.type = 'button';
        link.dir = 'auto';
        link.addEventListener('click', () => this.onChoose(row.index, true));
        cell.append(link);
      } else if (value instanceof Node) cell.append(value);
      else cell.textContent = value;
      if (typeof value === 'string' && !/^[\d\s.\u202f%–]*( m| km)?$/.test(value)) cell.className = 'left';
      made.append(cell);
    });
    return made;
  }
  choose(index) { this.chosen = index; this.show(); }
}

const colored = (value, cls) => value ? element('span', count(value), cls) : '0';
const verdict = one => one.entries === 0 && one.inside === 0
  ? 'never on the way; nearest ' + distance(one.nearest) : one.why;
const refused = one => one.rejected ? count(one.rejected) + ': ' + one.reasons : '0';
const onPhone = index => one => {
  const odds = one.odds[index];
  if (!odds) return '–';
  const cell = element('span', percent(odds[0], 1), likelihood(odds[0]));
  if (odds[1]) cell.append(element('span', ' too small', 'dim'));
  return cell;
};
let storyTable, trackTable;
if (!data.sweepOnly) {
  phones.forEach((phone, index) => {
    const head = element('th'), button = element('button', `On ${phone.name}`);
    head.scope = 'col'; button.type = 'button'; button.dataset.key = 'phone' + index;
    head.append(button);
    $('stories').querySelector('[data-key=nearest]').closest('th').before(head);
  });
  // Most stories of a store are nowhere near: those on the way come first.
  if (stories.some(s => s.met > 0)) $('stories-filter').value = 'met';
  storyTable = new Table('stories', stories, [
    s => s.title, s => s.category || '–', s => count(s.met), s => colored(s.alerted, 'good'),
    s => count(s.suppressed), s => colored(s.late, 'warn'), s => colored(s.missed, 'bad'),
    s => count(s.alerts), s => percent(s.found, s.oracle), ...phones.map((_, index) => onPhone(index)),
    s => distance(s.nearest), verdict,
  ], 'lost', {
    all: () => true, met: s => s.met > 0, lost: s => s.lost > 0,
    silent: s => s.met > 0 && s.alerted === 0, never: s => s.met === 0,
  }, chooseStory);
  trackTable = new Table('tracks', tracks, [
    t => t.label, t => t.km.toFixed(1), t => count(t.entries), t => colored(t.alerts, 'good'),
    t => count(t.suppressed), t => colored(t.late, 'warn'), t => colored(t.missed, 'bad'),
    t => percent(t.found, t.oracle), t => t.rate.toFixed(2), refused,
  ], 'lost', null, chooseTrack);
  if (folder) $('tracks').caption.textContent += '; the tracks are in ' + folder;
}

function chooseStory(index, scrolls) {
  const one = stories[index], box = $('detail');
  storyTable.choose(index);
  const title = element('h3', one.title);
  const facts = element('p', `${one.id}; circle of ${one.radius} m. The path was inside on `
    + `${count(one.met)} of ${count(tracks.length)} tracks: ${count(one.alerted)} alerted, `
    + `${count(one.suppressed)} held back, ${count(one.late)} late, ${count(one.missed)} missed, `
    + `${count(one.inside)} inside from the start. ${count(one.alerts)} alerts; with every place `
    + `watched ${count(one.oracle)}. Nearest approach ${distance(one.nearest)}`
    + (one.nearestTrack ? ` (${one.nearestTrack}).` : '.'));
  box.replaceChildren(title, facts, ...one.odds.filter(Boolean).map(odds => element('p', odds[2])));
  if (window.showStory) window.showStory(index);
  if (scrolls) $('map').scrollIntoView({ block: 'center' });
}

function chooseTrack(index, scrolls) {
  const one = tracks[index], box = $('detail');
  trackTable.choose(index);
  const facts = element('p', `${one.km.toFixed(1)} km, ${count(one.fixes)} fixes`
    + `${one.rejected ? ` (refused ${refused(one)})` : ''}; `
    + `${count(one.entries)} entries: ${count(one.alerts)} alerts, ${count(one.suppressed)} `
    + `held back, ${count(one.late)} late, ${count(one.missed)} missed; `
    + `${count(one.refreshes)} refreshes.`);
  box.replaceChildren(element('h3', one.label), facts);
  if (window.showTrack) window.showTrack(index);
  if (scrolls) $('map').scrollIntoView({ block: 'center' });
}
