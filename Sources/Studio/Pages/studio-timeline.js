// The time line: how much alerts, comes late and is missed when, and the moment that is shown.

import { lastBefore } from './studio-moment.js';

const KINDS = ['alert', 'late', 'missed'];

/**
 * Sets up the time line.
 *
 * @param app What the page shows; see `studio.js`.
 * @param player The player.
 * @param hooks `describe()`, the moment in words; `step(direction, byEvent)`.
 */
export const openTimeline = (app, player, hooks) => {
  const box = $('timeline'), canvas = box.querySelector('canvas');

  /** The counts of each kind in columns of pixels. */
  const density = columns => {
    const bins = KINDS.map(() => new Uint16Array(columns));
    for (const entry of app.run?.entries ?? []) {
      const kind = KINDS.indexOf(entry.kind);
      if (kind < 0) continue;
      const column = player.end ? Math.floor(entry.at / player.end * (columns - 1)) : 0;
      bins[kind][Math.min(columns - 1, Math.max(0, column))] += 1;
    }
    return bins;
  };

  const COLUMN = 4;
  let picture = null;
  const drawStill = () => {
    const width = box.clientWidth, height = box.clientHeight, ratio = devicePixelRatio || 1;
    const style = getComputedStyle(document.documentElement);
    const ink = name => style.getPropertyValue('--' + name).trim();
    picture = document.createElement('canvas');
    picture.width = Math.max(1, width * ratio); picture.height = Math.max(1, height * ratio);
    const c = picture.getContext('2d');
    c.scale(ratio, ratio);
    c.fillStyle = ink('wash');
    c.fillRect(0, 0, width, height);
    c.fillStyle = ink('line');
    for (const fix of app.run?.breaks ?? []) {
      const from = app.track.clock[fix - 1] / player.end * width, to = app.track.clock[fix] / player.end * width;
      c.fillRect(from, 0, Math.max(1, to - from), height);
    }
    const columns = Math.max(1, Math.floor(width / COLUMN)), bins = density(columns);
    const most = Math.max(3, ...Array.from({ length: columns }, (_, i) => bins.reduce((sum, bin) => sum + bin[i], 0)));
    const colours = ['hit', 'late', 'miss'].map(ink), unit = (height - 6) / most;
    for (let i = 0; i < columns; i++) {
      let top = height;
      bins.forEach((bin, kind) => {
        if (!bin[i]) return;
        const tall = Math.max(3, bin[i] * unit);
        c.fillStyle = colours[kind];
        c.fillRect(i * COLUMN, top - tall, COLUMN - 1, tall);
        top -= tall;
      });
    }
  };
  const draw = () => {
    const width = box.clientWidth, height = box.clientHeight;
    if (!picture) drawStill();
    // A canvas whose size is set is made anew, which would cost a frame.
    if (canvas.width !== picture.width) canvas.width = picture.width;
    if (canvas.height !== picture.height) canvas.height = picture.height;
    const c = canvas.getContext('2d');
    c.drawImage(picture, 0, 0);
    const ratio = canvas.width / Math.max(1, width), x = player.end ? player.now / player.end * (width - 2) : 0;
    const style = getComputedStyle(document.documentElement);
    c.fillStyle = style.getPropertyValue('--you').trim();
    c.fillRect((x - 1) * ratio, 0, 3 * ratio, height * ratio);
    box.setAttribute('aria-valuemax', String(Math.round(player.end / 1000)));
    box.setAttribute('aria-valuenow', String(Math.round(player.now / 1000)));
    box.setAttribute('aria-valuetext', hooks.describe());
  };

  // ---- pointer and keys

  const seekTo = event => {
    const { left, width } = box.getBoundingClientRect();
    player.seek((event.clientX - left) / width * player.end);
  };
  let isScrubbing = false;
  box.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    isScrubbing = true;
    player.pause();
    box.setPointerCapture(event.pointerId);
    seekTo(event);
  });
  box.addEventListener('pointermove', event => { if (isScrubbing) seekTo(event); });
  for (const name of ['pointerup', 'pointercancel']) box.addEventListener(name, () => { isScrubbing = false; });
  box.addEventListener('keydown', event => {
    const page = player.end / 20;
    const keys = {
      ArrowRight: () => hooks.step(1, event.shiftKey), ArrowUp: () => hooks.step(1, event.shiftKey),
      ArrowLeft: () => hooks.step(-1, event.shiftKey), ArrowDown: () => hooks.step(-1, event.shiftKey),
      PageUp: () => player.seek(player.now + page), PageDown: () => player.seek(player.now - page),
      Home: () => player.seek(0), End: () => player.seek(player.end),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  const renew = () => { picture = null; draw(); };
  new ResizeObserver(renew).observe(box);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', renew);
  return { draw, renew };
};

/** The fixes' moments next to the one that is shown, for a step: the whole list may be long. */
export const fixesAround = (clock, now) => {
  const fix = lastBefore(clock, now);
  return Array.from(clock.subarray(Math.max(0, fix - 40), fix + 41));
};
