// What is chosen on the page, and its address.
//
// #story=ID, #track=NAME and #spot=NUMBER, each with &moment=NUMBER where one of its moments is meant.

/**
 * What is chosen; null for nothing.
 *
 * @typedef {{ kind: 'story' | 'track' | 'spot', index: number, moment?: number } | null} Choice
 */

const KEYS = { story: [stories, 'id'], track: [tracks, 'name'], spot: [spots, 'index'] };

/** The address of a choice on this page. */
const addressOf = choice => {
  if (!choice) return '#where';
  const [list, key] = KEYS[choice.kind];
  const moment = choice.moment === undefined ? '' : `&moment=${choice.moment}`;
  return `#${choice.kind}=${encodeURIComponent(list[choice.index][key])}${moment}`;
};

/** The choice that an address names; null for none, and for one that names what this page does not have. */
const choiceAt = hash => {
  const found = /^#(story|track|spot)=([^&]*)(?:&moment=(\d+))?$/.exec(hash);
  if (!found) return null;
  let name;
  try { name = decodeURIComponent(found[2]); } catch { return null; }
  const [list, key] = KEYS[found[1]], index = list.findIndex(one => String(one[key]) === name);
  if (index < 0) return null;
  const choice = { kind: found[1], index };
  if (found[3] !== undefined && Number(found[3]) < (list[index].moments?.length ?? 0))
    choice.moment = Number(found[3]);
  return choice;
};

let chosen = null;
// What shows a choice; the map puts itself here.
const onChoice = [];

/** Shows a choice everywhere, without a new address. */
const apply = choice => {
  chosen = choice;
  storyTable.choose(choice?.kind === 'story' ? choice.index : -1);
  trackTable.choose(choice?.kind === 'track' ? choice.index : -1);
  showDetail(choice);
  for (const show of onChoice) show(choice);
};

/** Chooses something: it is shown, and has its address. */
const choose = (choice, scrolls = false) => {
  apply(choice);
  const address = addressOf(choice);
  // Without this the browser would go to the top of the map when nothing is chosen.
  if (location.hash !== address) {
    if (choice) location.hash = address;
    else history.replaceState(null, '', location.href.split('#')[0]);
  }
  if (scrolls) $('stage').scrollIntoView({ block: 'nearest' });
};

/** Follows addresses from the first on. */
const followAddresses = () => {
  const go = scrolls => {
    const choice = choiceAt(location.hash);
    // An address of a part of the page leaves the choice as it is.
    if (!choice || addressOf(choice) === addressOf(chosen)) return;
    apply(choice);
    if (scrolls) $('stage').scrollIntoView({ block: 'nearest' });
  };
  addEventListener('hashchange', () => go(true));
  addEventListener('keydown', event => {
    // In a search the key empties the search.
    if (event.key === 'Escape' && chosen && event.target.tagName !== 'INPUT') choose(null);
  });
  go(true);
};
