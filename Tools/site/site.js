// The menu on narrow windows, and the search, whose index is loaded when it is first asked for.
'use strict';

const root = document.body.dataset.root;
const menu = document.querySelector('button.menu');
const contents = document.getElementById('site-contents');

menu.addEventListener('click', () => {
  const open = document.body.classList.toggle('menu-open');
  menu.setAttribute('aria-expanded', String(open));
});
contents.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });

const field = document.querySelector('.search input');
const list = document.querySelector('.search ol');
const MOST_RESULTS = 12;
let loading;

function index() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${root}search-index.js`;
    script.onload = () => resolve(SEARCH_INDEX.map(([title, url, page, text]) => (
      { title, url, page, text, low: title.toLowerCase(), all: `${title} ${page} ${text}`.toLowerCase() })));
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

// The lower, the better: a title that begins with the words, one that has them, then the text. Guides go before symbols.
function rank(entry, words, whole) {
  if (!words.every(word => entry.all.includes(word))) return Infinity;
  let result = entry.low === whole ? 0 : entry.low.startsWith(whole) ? 1 : words.every(word => entry.low.includes(word)) ? 2 : 4;
  if (entry.url.startsWith('reference/')) result += 0.5;
  if (entry.page) result += 0.25;
  return result;
}

async function search() {
  const whole = field.value.trim().toLowerCase(), words = whole.split(/\s+/).filter(Boolean);
  const entries = words.length ? await index() : [];
  if (field.value.trim().toLowerCase() !== whole) return;
  const found = entries.map(entry => ({ entry, rank: rank(entry, words, whole) })).filter(one => one.rank < Infinity)
    .sort((a, b) => a.rank - b.rank || a.entry.title.length - b.entry.title.length).slice(0, MOST_RESULTS);
  list.replaceChildren(...found.map(({ entry }) => result(entry, words)));
  if (words.length && !found.length) {
    const item = document.createElement('li');
    item.textContent = 'Nothing found';
    list.append(item);
  }
  list.hidden = !words.length;
}

function result(entry, words) {
  const item = document.createElement('li'), link = document.createElement('a');
  const title = document.createElement('strong'), text = document.createElement('span');
  link.href = root + entry.url;
  title.textContent = entry.title;
  const at = Math.max(0, Math.min(...words.map(word => entry.text.toLowerCase().indexOf(word)).filter(place => place >= 0)) - 30);
  text.textContent = [entry.page, Number.isFinite(at) ? entry.text.slice(at, at + 110) : entry.text.slice(0, 110)]
    .filter(Boolean).join(' · ');
  link.append(title, text);
  item.append(link);
  return item;
}

field.addEventListener('input', search);
field.addEventListener('focus', () => index());
document.querySelector('.search').addEventListener('keydown', event => {
  const links = [...list.querySelectorAll('a')], place = links.indexOf(document.activeElement);
  if (event.key === 'Escape') { list.hidden = true; field.focus(); }
  else if (event.key === 'ArrowDown') (links[place + 1] ?? links[0])?.focus();
  else if (event.key === 'ArrowUp') (links[place - 1] ?? field).focus();
  else if (event.key === 'Enter' && document.activeElement === field) links[0]?.click();
  else return;
  event.preventDefault();
});
document.addEventListener('keydown', event => {
  if (event.key === '/' && !/^(input|textarea)$/i.test(document.activeElement.tagName)) {
    event.preventDefault();
    field.focus();
  }
});
document.addEventListener('click', event => {
  if (!event.target.closest('.search')) list.hidden = true;
});
