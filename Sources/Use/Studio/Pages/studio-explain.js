// Explains why a story alerted or not: in three sentences with links to their moments, and in the
// lines of `fencepost explain`.

import { postExplain } from './studio-wire.js';
import { withWords } from './studio-words.js';

const STEPS = ['What happened', 'Why', 'What would help'];

/**
 * Asks why a story alerted or not on a walk, and shows it in a box.
 *
 * @param app What the page shows; see `studio.js`.
 * @param {{id: string, walk: number}} story
 * @param {HTMLElement} box
 * @param hooks `showMoment(walk, fix, fraction)`.
 */
export const explain = async (app, { id, walk }, box, hooks) => {
  box.replaceChildren(element('p', 'Working…', 'dim'));
  try {
    const { sentences, lines } = await postExplain({ ...app.question(), story: id, track: walk });
    const list = element('ol', undefined, 'steps');
    list.append(...sentences.map(([text, fix, fraction], at) => {
      // After an alert, the last sentence says how near the walk came.
      const isHelp = at < 2 || !text.startsWith('It came within');
      const item = element('li'), words = element('span');
      words.append(...withWords(text));
      item.append(element('b', isHelp ? STEPS[at] : 'How near'), ' ', words);
      if (fix !== null) {
        const link = element('button', 'Show', 'link');
        link.type = 'button';
        link.setAttribute('aria-label', `Show the moment: ${isHelp ? STEPS[at] : 'How near'}`);
        link.addEventListener('click', () => hooks.showMoment(walk, fix, fraction));
        item.append(' ', link);
      }
      return item;
    }));
    const log = element('details'), others = app.scene.tracks.length > 1;
    log.append(element('summary', 'The whole log'), ...nodesOf(lines));
    log.hidden = !lines.length;
    box.replaceChildren(...others ? [element('p', `On the walk ${app.shortNames[walk]}:`, 'dim')] : [], list, log);
  } catch (error) {
    box.replaceChildren(element('p', error.message, 'bad'));
  }
};

/** Turns lines into elements. Indented lines become a list below the heading before them. */
const nodesOf = (lines) => {
  const nodes = [];
  let list = null;
  lines.forEach((line, index) => {
    if (!line.trim()) {
      list = null;
      return;
    }
    if (line.startsWith('  ')) {
      if (!list) {
        list = element('ul', undefined, 'plain');
        nodes.push(list);
      }
      const item = element('li');
      // The panel draws the dots.
      item.append(...withWords(line.trim().replace(/^[●◐○]+ /, '')));
      list.append(item);
      return;
    }
    // The first line is the story's name, which the panel already shows.
    if (index === 0) return;
    const isHead = lines[index + 1]?.startsWith('  ');
    const node = element(isHead ? 'h4' : 'p');
    node.append(...withWords(line));
    nodes.push(node);
  });
  return nodes;
};
