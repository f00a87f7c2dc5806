// The time line: alerts, late and missed entries over the walk with their names, the hours, and the current moment.

import { entryWords } from './studio-fates.js';
import { lastBefore } from './studio-moment.js';
import { clockAt } from './studio-view.js';
import { clockText, clockWords, offsetOf } from './studio-zone.js';

const KINDS = ['alert', 'late', 'missed'];
/** The height of the hours below the line and of the names above it, in pixels. */
const AXIS = 15, NAMES = 15;
/** The steps between hours of the axis, in minutes, and the least distance between two of them in pixels. */
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080, 43200], LEAST_STEP = 64;
/** The longest name above the line, and how near the pointer must be to an event, in pixels. */
const MOST_NAME = 22, NEAR = 6;

/**
 * Sets up the time line.
 *
 * @param app What the page shows; see `studio.js`.
 * @param player The player.
 * @param hooks `describe()`, which returns the moment in words; `step(direction, byEvent)`,
 *   `kindOf(entry)`, `chosenEntries()`.
 */
export const openTimeline = (app, player, hooks) => {
  const box = $('timeline'), canvas = box.querySelector('canvas');

  /** The counts of each kind in columns of pixels. */
  const density = (columns) => {
    const bins = KINDS.map(() => new Uint16Array(columns));
    for (const entry of app.run?.entries ?? []) {
      const kind = KINDS.indexOf(hooks.kindOf(entry));
      if (kind < 0) continue;
      const column = player.end ? Math.floor(app.walks.toShared(entry.at) / player.end * (columns - 1)) : 0;
      bins[kind][Math.min(columns - 1, Math.max(0, column))] += 1;
    }
    return bins;
  };

  const COLUMN = 4;
  // Reading the size at every frame would make the browser lay out the page.
  let width = box.clientWidth, height = box.clientHeight;
  let picture = null, isOld = true, inks = {};
  // Asking for a style would make the browser find all styles again, at each step of a drag.
  const known = (name) => inks[name] ??= ink(name);
  const drawStill = () => {
    const ratio = devicePixelRatio || 1;
    picture ??= document.createElement('canvas');
    // This also clears the picture.
    picture.width = Math.max(1, width * ratio);
    picture.height = Math.max(1, height * ratio);
    const c = picture.getContext('2d');
    c.scale(ratio, ratio);
    c.fillStyle = known('wash');
    c.fillRect(0, 0, width, height);
    c.fillStyle = known('line');
    for (const fix of app.run?.breaks ?? []) {
      const [from, to] = [fix - 1, fix].map((one) => app.walks.toShared(app.track.clock[one]) / player.end * width);
      c.fillRect(from, 0, Math.max(1, to - from), height);
    }
    const columns = Math.max(1, Math.floor(width / COLUMN));
    const bins = density(columns);
    const most = Math.max(1, ...Array.from({ length: columns }, (_, i) => bins.reduce((sum, bin) => sum + bin[i], 0)));
    drawBins(c, bins, Math.min(12, (height - AXIS - NAMES) / most));
    drawAxis(c);
    drawNames(c);
    const range = app.range.get();
    if (range && player.end) {
      // What is left out is veiled.
      const [from, to] = range.map((one) => one / player.end * width);
      c.globalAlpha = .65;
      c.fillStyle = known('paper');
      c.fillRect(0, 0, from, height);
      c.fillRect(to, 0, width - to, height);
      c.globalAlpha = 1;
      c.fillStyle = known('ink');
      for (const edge of [from, to]) c.fillRect(Math.min(width - 2, Math.max(0, edge - 1)), 0, 2, height);
    }
    isOld = false;
  };
  const drawBins = (c, bins, unit) => {
    const colors = ['hit', 'late', 'miss'].map(known);
    for (let i = 0; i < bins[0].length; i++) {
      let top = height - AXIS;
      bins.forEach((bin, kind) => {
        if (!bin[i]) return;
        const tall = Math.max(3, bin[i] * unit);
        c.fillStyle = colors[kind];
        c.fillRect(i * COLUMN, top - tall, COLUMN - 1, tall);
        top -= tall;
      });
    }
  };
  const across = (moment) => player.end ? moment / player.end * width : 0;
  let axis = { of: '', track: null, ticks: [] };
  /** The hours in the studio's zone that have room, with where they are. Answers leave them as they are. */
  const ticksNow = (c) => {
    const { track } = app, { zone } = app.scene, of = [player.end, width, zone, app.walks.toShared(0)].join();
    if (axis.track === track && axis.of === of) return axis.ticks;
    axis = { of, track, ticks: [] };
    const times = track?.time.filter((one) => one !== null) ?? [];
    if (!times.length || !player.end) return axis.ticks;
    const first = times.reduce((a, b) => Math.min(a, b)), last = times.reduce((a, b) => Math.max(a, b));
    const least = (last - first) * LEAST_STEP / width,
      step = (STEPS.find((one) => one * 60000 >= least) ?? STEPS.at(-1)) * 60000;
    const ahead = offsetOf(zone, first) ?? 0;
    let free = 0, day = '';
    for (let time = Math.ceil((first + ahead) / step) * step - ahead; time <= last; time += step) {
      const x = across(app.walks.toShared(clockAt(track, time))), text = clockText(time, zone);
      const isNewDay = text.slice(0, 10) !== day,
        label = isNewDay ? clockWords(time, zone).replace(/ \d{4}, /, ', ').slice(0, -3) : text.slice(11, 16);
      const half = c.measureText(label).width / 2;
      if (x - half < free || x + half > width) continue;
      free = x + half + 8;
      day = text.slice(0, 10);
      axis.ticks.push({ x, label });
    }
    return axis.ticks;
  };
  const drawAxis = (c) => {
    c.fillStyle = known('paper');
    c.fillRect(0, height - AXIS, width, AXIS);
    Object.assign(c, { font: '11px system-ui, sans-serif', textBaseline: 'middle', textAlign: 'center' });
    for (const { x, label } of ticksNow(c)) {
      c.fillStyle = known('line');
      c.fillRect(x, NAMES, 1, height - AXIS - NAMES + 3);
      c.fillStyle = known('soft');
      c.fillText(label, x, height - AXIS / 2);
    }
  };
  /** The events of the line, with where they are. */
  const shown = () =>
    (app.run?.entries ?? []).map((entry) => ({
      entry,
      kind: KINDS.indexOf(hooks.kindOf(entry)),
      x: across(app.walks.toShared(entry.at)),
    }))
      .filter((one) => one.kind >= 0).sort((a, b) => a.x - b.x);
  /** Names the events that have room. */
  const drawNames = (c) => {
    Object.assign(c, {
      font: '11px system-ui, sans-serif',
      textBaseline: 'middle',
      textAlign: 'left',
      fillStyle: known('ink'),
    });
    let free = 0;
    for (const { entry, x } of shown()) {
      const name = cut(app.titleOf(entry.story), MOST_NAME),
        wide = c.measureText(name).width,
        from = Math.min(x, width - wide - 2);
      if (from < free) continue;
      c.fillText(name, from, NAMES / 2);
      free = from + wide + 8;
    }
  };
  const draw = () => {
    if (isOld) drawStill();
    // Setting a canvas's size, even to the same value, allocates it again.
    if (canvas.width !== picture.width) canvas.width = picture.width;
    if (canvas.height !== picture.height) canvas.height = picture.height;
    const c = canvas.getContext('2d');
    c.drawImage(picture, 0, 0);
    const ratio = canvas.width / Math.max(1, width), x = player.end ? player.now / player.end * (width - 2) : 0;
    c.fillStyle = known('you');
    c.fillRect((x - 1) * ratio, 0, 3 * ratio, (height - AXIS) * ratio);
    // The chosen story's entries reach from top to bottom.
    c.fillStyle = known('chosen');
    for (const entry of hooks.chosenEntries()) {
      const at = player.end ? entry.at / player.end * (width - 2) * ratio : 0;
      c.fillRect(at - ratio, 0, 2 * ratio, (height - AXIS) * ratio);
      c.fillRect(at - 4 * ratio, 0, 8 * ratio, 5 * ratio);
    }
  };
  /** Tells the moment to screen readers. */
  const say = () => {
    box.setAttribute('aria-valuemax', String(Math.round(player.end / 1000)));
    box.setAttribute('aria-valuenow', String(Math.round(player.now / 1000)));
    box.setAttribute('aria-valuetext', hooks.describe());
  };

  // ---- the tip under the pointer

  const tip = $('time-tip');
  const showTip = (event) => {
    const { left } = box.getBoundingClientRect(), x = event.clientX - left;
    if (!app.track || !player.end) return;
    const own = app.walks.own(momentAt(event)),
      fix = Math.max(0, lastBefore(app.track.clock, own)),
      time = app.track.time[fix];
    const near = shown().filter((one) => Math.abs(one.x - x) <= NEAR).map(({ entry }) =>
      `${app.titleOf(entry.story)}: ${entryWords(app, entry)}`
    );
    tip.replaceChildren(
      ...[
        time === null ? `fix ${fix}` : clockWords(time, app.scene.zone),
        ...near.slice(0, 5),
        ...near.length > 5 ? [`and ${near.length - 5} more`] : [],
      ].map((words) => element('span', words)),
    );
    tip.hidden = false;
    tip.style.left = `${Math.min(Math.max(0, x - tip.offsetWidth / 2), width - tip.offsetWidth)}px`;
  };
  box.addEventListener('pointermove', showTip);
  box.addEventListener('pointerleave', () => {
    tip.hidden = true;
  });

  // ---- pointer and keys

  const momentAt = (event) => {
    const { left, width } = box.getBoundingClientRect();
    return Math.min(player.end, Math.max(0, (event.clientX - left) / width * player.end));
  };
  const seekTo = (event) => player.seek(momentAt(event));
  let isScrubbing = false, brushedFrom = null;
  box.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    isScrubbing = true;
    player.pause();
    box.setPointerCapture(event.pointerId);
    if (event.shiftKey) brushedFrom = momentAt(event);
    else seekTo(event);
  });
  box.addEventListener('pointermove', (event) => {
    if (!isScrubbing) return;
    if (brushedFrom === null) return seekTo(event);
    app.range.set(...[brushedFrom, momentAt(event)].sort((a, b) => a - b));
  });
  for (const name of ['pointerup', 'pointercancel']) {
    box.addEventListener(name, () => {
      isScrubbing = false;
      brushedFrom = null;
    });
  }
  box.addEventListener('keydown', (event) => {
    const page = player.end / 20;
    const keys = {
      ArrowRight: () => hooks.step(1, event.shiftKey),
      ArrowUp: () => hooks.step(1, event.shiftKey),
      ArrowLeft: () => hooks.step(-1, event.shiftKey),
      ArrowDown: () => hooks.step(-1, event.shiftKey),
      PageDown: () => player.seek(player.now + page),
      PageUp: () => player.seek(player.now - page),
      Home: () => player.seek(0),
      End: () => player.seek(player.end),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  const forget = () => {
    isOld = true;
  };
  const renew = () => {
    forget();
    draw();
  };
  new ResizeObserver(() => {
    width = box.clientWidth;
    height = box.clientHeight;
    renew();
  }).observe(box);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    inks = {};
    renew();
  });
  return { draw, forget, say };
};

/** The moments of the fixes around the current one; enough for a step. */
const fixesAround = (clock, now) => {
  const fix = lastBefore(clock, now);
  return Array.from(clock.subarray(Math.max(0, fix - 40), fix + 41));
};

/** Goes to the next fix of the shown walk or to its next event, or with a direction of -1 to the one before. */
export const stepBy = (app, direction, byEvent) => {
  if (!app.track) return;
  const moments = byEvent ? app.events.map((one) => one.at) : fixesAround(app.track.clock, app.ownNow);
  app.player.step(moments.map(app.walks.toShared), direction);
};
