'use strict';
// Shared by all pages: elements, numbers and titles as text, and safe links.

const $ = (id) => document.getElementById(id);

/** Whether the studio's page came as a file, without a server. */
const isSent = $('sent') !== null;

/** A color of the style sheet, for light or dark. */
const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Makes an element. Its text is never read as markup. */
const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

/** A whole number with a narrow space before each group of three digits. */
const count = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');

/**
 * Shortens a text to at most `most` characters, after a whole word unless the last one is very
 * long.
 */
const cut = (text, most) => {
  const letters = [...String(text).slice(0, 2 * most + 2)];
  if (letters.length <= most) return letters.join('');
  const head = letters.slice(0, most).join(''), words = head.replace(/\s+\S*$/, '');
  return (words.length > head.length * .6 ? words : head).trimEnd() + '…';
};
/** The longest title that a list shows. */
const MOST_TITLE = 140;

/** Shortens a text until `widthOf` says that it fits into `most`; both have the same unit. */
const cutToWidth = (text, most, widthOf) => {
  let low = 1, high = Math.min(text.length, MOST_TITLE);
  if (widthOf(cut(text, high)) <= most) return cut(text, high);
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (widthOf(cut(text, middle)) <= most) low = middle;
    else high = middle;
  }
  return cut(text, low);
};

/** The address if it is one for a browser, with http or https; otherwise null. */
const safeLink = (text) => {
  if (!text) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
};

/** Downloads a text as a file. */
const download = (name, type, text) => {
  const link = element('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
