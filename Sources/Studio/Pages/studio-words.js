// The glossary: words that explain themselves under the pointer or when they are focused.

export const GLOSSARY = {
  'monitored': 'A phone watches a limited number of circles at a time, 20 as a rule.',
  'refresh': 'The moment when the phone looks up the nearest places and watches those instead.',
  'refreshes': 'A refresh: the phone looks up the nearest places and watches those instead.',
  'rank': 'The place’s position among all places, the nearest first.',
  'late': 'Entered while not watched; a later refresh found the device inside, too late for an alert.',
  'missed': 'Entered while not watched, and nothing noticed before the device had left.',
  'suppressed': 'Noticed, and held back by the alert policy.',
  'cooldown': 'How long a story that has alerted stays silent.',
  'alert': 'An entry that the phone saw and that the alert policy let through.',
  'alerts': 'Entries that the phone saw and that the alert policy let through.',
  'gained': 'Alerts that there were not with the stories and rules to begin with.',
  'lost': 'Alerts that there were with the stories and rules to begin with.',
  'enter': 'The path comes from outside a circle to inside it.',
  'exit': 'The path leaves a circle.',
  'break': 'A gap in the track across which nothing is interpolated.',
  'nearest': 'The least distance of the path from the centre of the story’s circle.',
  'crossings': 'Where the path crosses the edge of the circle, in or out.',
  'policy': 'The checks between an entry and an alert: validity, quiet hours, driving, cool-down and so on.',
};

/** Makes words of the page that are in the glossary ask-able: those of elements of the class `word`. */
export const explainWords = () => {
  for (const one of document.querySelectorAll('.word')) one.replaceChildren(...withWords(one.textContent));
};

/** A text as nodes in which the words of the glossary can be asked. */
export const withWords = text => text.split(/([A-Za-z]+)/).map(part => {
  const meaning = Object.hasOwn(GLOSSARY, part.toLowerCase()) ? GLOSSARY[part.toLowerCase()] : null;
  if (!meaning) return document.createTextNode(part);
  const word = element('abbr', part);
  word.title = meaning;
  word.tabIndex = 0;
  return word;
});
