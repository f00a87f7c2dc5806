// Explains why a story alerted or not, in the sentences of `fencepost explain`.

import { postExplain } from './studio-wire.js';
import { withWords } from './studio-words.js';

/** Asks for an explanation and shows it in a box. */
export const explain = async (app, story, box) => {
  box.replaceChildren(element('p', 'Working…', 'dim'));
  try {
    const { lines } = await postExplain({ ...app.question(), story });
    box.replaceChildren(...nodesOf(lines));
  } catch (error) {
    box.replaceChildren(element('p', error.message, 'bad'));
  }
};

/** Turns lines into elements. Indented lines become a list below the heading before them. */
export const nodesOf = lines => {
  const nodes = [];
  let list = null;
  lines.forEach((line, index) => {
    if (!line.trim()) { list = null; return; }
    if (line.startsWith('  ')) {
      if (!list) { list = element('ul', undefined, 'plain'); nodes.push(list); }
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
