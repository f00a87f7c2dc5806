'use strict';
// What every page needs: elements, numbers in words, and safe links.

const $ = id => document.getElementById(id);

/** Makes an element. Its text stays text, whatever is written in it. */
const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

/** A whole number with narrow spaces between the thousands. */
const count = n => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');

/** A text cut to so many letters at most, so that a title of thousands does not fill the page. */
const cut = (text, most) => {
  const letters = [...String(text).slice(0, 2 * most + 2)];
  return letters.length > most ? letters.slice(0, most).join('').trimEnd() + '…' : letters.join('');
};
const MOST_TITLE = 140;

/** The address if a browser may open it, else null. */
const safeLink = text => {
  if (!text) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch { return null; }
};
