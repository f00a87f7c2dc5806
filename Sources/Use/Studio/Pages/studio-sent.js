// A page that was sent as a file, and holds what the studio's server would give.

let data = null;

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const ANSWERS = {
  scene: () => data.scene,
  track: (words) => data.tracks[Number(words.get('n'))],
  zone: (words) => data.zones[words.get('name')],
  'engine.wasm.gz': () => data.module,
};

/**
 * The answer to a request such as `track?n=2`; undefined if the page does not hold it.
 *
 * @param {string} path
 */
export const sentAnswer = (path) => {
  const [name, words] = path.split('?'), answer = ANSWERS[name]?.(new URLSearchParams(words));
  return answer === undefined ? undefined : { json: () => answer, arrayBuffer: () => bytesOf(answer).buffer };
};

/**
 * The address of the worker's script in a page that was sent, or else null. From an address of a blob, Chromium starts
 * no module in a page that is a file.
 */
export const sentWorker = () => data && `data:text/javascript,${encodeURIComponent(data.worker)}`;

/** The view that a sent page opens with, as in an address; empty for the whole walk. */
export const sentView = () => {
  if (!data) return '';
  const words = new URLSearchParams(data.view.replace(/^#/, ''));
  // The stories and rules of the page are changed already.
  for (const key of ['edits', 'rules']) words.delete(key);
  words.set('track', data.scene.tracks[data.first].name);
  return '#' + words;
};

const NOTE = 'Sent from Fencepost studio. Drag a story or change a rule to see what would happen.';
const PRIVACY = 'The page works everything out itself, and nothing leaves it. It loads streets only if you show them.';

/** Reads what the page holds, and hides what needs a server. */
export const prepareSent = async () => {
  if (!isSent) return;
  const stream = new Blob([bytesOf($('sent').textContent)]).stream().pipeThrough(new DecompressionStream('gzip'));
  data = await new Response(stream).json();
  document.body.classList.add('sent');
  document.title = `Walks and stories: ${data.scene.store}`;
  const note = element('aside', [NOTE, data.note, PRIVACY].filter((one) => one).join(' '), 'notice');
  note.id = 'sent-note';
  note.setAttribute('aria-label', 'About this page');
  document.querySelector('header').after(note);
};
