// The choice of a story, a walk or a spot, and its address.
//
// The address is #story=ID, #track=NAME or #spot=NUMBER, followed by &moment=NUMBER for one of its
// moments.

/**
 * The choice; null if nothing is chosen.
 *
 * @typedef {{ kind: 'story' | 'track' | 'spot', index: number, moment?: number } | null} Choice
 */

const KEYS = { story: [stories, 'id'], track: [tracks, 'name'], spot: [spots, 'index'] };

/** The address of a choice on this page. */
const addressOf = (choice) => {
  if (!choice) return '#where';
  const [list, key] = KEYS[choice.kind];
  const moment = choice.moment === undefined ? '' : `&moment=${choice.moment}`;
  return `#${choice.kind}=${encodeURIComponent(list[choice.index][key])}${moment}`;
};

/**
 * The choice that an address names; null if it names none, or something that is not on this page.
 */
const choiceAt = (hash) => {
  const found = /^#(story|track|spot)=([^&]*)(?:&moment=(\d+))?$/.exec(hash);
  if (!found) return null;
  let name;
  try {
    name = decodeURIComponent(found[2]);
  } catch {
    return null;
  }
  const [list, key] = KEYS[found[1]], index = list.findIndex((one) => String(one[key]) === name);
  if (index < 0) return null;
  const choice = { kind: found[1], index };
  if (found[3] !== undefined && Number(found[3]) < (list[index].moments?.length ?? 0)) {
    choice.moment = Number(found[3]);
  }
  return choice;
};

let chosen = null;
// Called with each new choice; the map adds itself here.
const onChoice = [];

/** Shows a choice everywhere and keeps the address. */
const apply = (choice) => {
  chosen = choice;
  storyTable.choose(choice?.kind === 'story' ? choice.index : -1);
  trackTable.choose(choice?.kind === 'track' ? choice.index : -1);
  showDetail(choice);
  for (const show of onChoice) show(choice);
};

/** Shows a choice and changes the address to it. */
const choose = (choice, scrolls = false) => {
  apply(choice);
  const address = addressOf(choice);
  // An empty hash would make the browser scroll up.
  if (location.hash !== address) {
    if (choice) location.hash = address;
    else history.replaceState(null, '', location.href.split('#')[0]);
  }
  if (scrolls) $('stage').scrollIntoView({ block: 'nearest' });
};

/** Shows the choice of the current address and of later ones. */
const followAddresses = () => {
  const go = (scrolls) => {
    const choice = choiceAt(location.hash);
    // The address of a section keeps the choice.
    if (!choice || addressOf(choice) === addressOf(chosen)) return;
    apply(choice);
    if (scrolls) $('stage').scrollIntoView({ block: 'nearest' });
  };
  addEventListener('hashchange', () => go(true));
  addEventListener('keydown', (event) => {
    // In a search field, Escape clears the field.
    if (event.key === 'Escape' && chosen && event.target.tagName !== 'INPUT') choose(null);
  });
  go(true);
};
