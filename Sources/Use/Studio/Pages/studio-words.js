// The glossary: words with a tooltip for the pointer and the keyboard.

export const GLOSSARY = {
  'watched': 'Among the circles that the phone follows now, usually 20 at a time.',
  'lookup': 'The phone asks for the nearest stories and watches those instead.',
  'lookups': 'The phone asks for the nearest stories and watches those instead.',
  'rank': 'The story’s place among all stories, nearest first.',
  'late': 'Entered while not watched. A later lookup found the reader inside, too late for an alert.',
  'missed': 'Entered while not watched. No lookup noticed it before the reader left.',
  'cooldown': 'How long a story stays quiet after it alerted.',
  'alert': 'What the reader’s phone shows.',
  'alerts': 'What the reader’s phone shows.',
  'gained': 'Alerts that did not come with the stories and rules at the start.',
  'lost': 'Alerts that came with the stories and rules at the start.',
  'entry': 'The path goes from outside a circle to its inside.',
  'exit': 'The path leaves a circle.',
  'gap': 'A part of the walk without positions, where nothing is assumed.',
  'nearest': 'The shortest distance from the walk to the center of the story’s circle.',
};

/** Gives the words in elements of class `word` their tooltips. */
export const explainWords = () => {
  for (const one of document.querySelectorAll('.word')) one.replaceChildren(...withWords(one.textContent));
};

/** A text as nodes, with tooltips for the words in the glossary. */
export const withWords = (text) =>
  text.split(/([A-Za-z]+)/).map((part) => {
    const meaning = Object.hasOwn(GLOSSARY, part.toLowerCase()) ? GLOSSARY[part.toLowerCase()] : null;
    if (!meaning) return document.createTextNode(part);
    const word = element('abbr', part);
    word.title = meaning;
    word.tabIndex = 0;
    return word;
  });
