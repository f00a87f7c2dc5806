// The answers of a page that was sent as a file, in place of the engine's.

const data = isSent ? JSON.parse($('sent').textContent) : null;
const explanations = new Map((data?.explanations ?? []).map(({ track, story, answer }) => [`${track} ${story}`, answer]));
let simulated = { number: -1, track: 0 };

const ANSWERS = {
  '': () => ({}),
  scene: () => data.scene,
  basemap: () => data.basemap ?? null,
  track: (question, words) => data.tracks[Number(words.get('n'))],
  try: question => ({ ...data.answers[question.track], question: question.number }),
  progress: () => data.progress,
  chance: question => { simulated = question; return {}; },
  chances: () => ({ ...data.chances[simulated.track], question: simulated.number }),
  explain: question => explanations.get(`${question.track} ${question.story}`),
};

/**
 * The answer to a request such as `track?n=2`, as JSON; undefined if the page does not hold it.
 *
 * @param {string} path
 * @param {string|undefined} body The question as JSON, if it has one.
 */
export const sentAnswer = (path, body) => {
  const [name, words] = path.split('?');
  return ANSWERS[name]?.(body ? JSON.parse(body) : null, new URLSearchParams(words));
};

/** The view that a sent page opens with, as in an address; empty for the whole walk. */
export const sentView = () => {
  if (!data) return '';
  const words = new URLSearchParams(data.view.replace(/^#/, ''));
  for (const key of ['edits', 'rules', 'pinned']) words.delete(key);
  words.set('track', data.scene.tracks[data.first].name);
  return '#' + words;
};

/** Makes the page one to look at: what would change stories or rules goes. */
export const prepareSent = () => {
  if (!data) return;
  document.body.classList.add('sent');
  document.title = `Walks and stories: ${data.scene.store}`;
  const note = element('p', ['Sent from Fencepost studio, to look at.', data.note].join(' ').trim(), 'notice');
  note.id = 'sent-note';
  document.querySelector('header').after(note);
};
