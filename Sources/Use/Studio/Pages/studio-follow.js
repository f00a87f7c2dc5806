// Keeping the position in view while a walk plays.

/**
 * Sets up the button `follow`.
 *
 * @param app What the page shows; see `studio.js`.
 * @param latLng Where a point of the world is on the map.
 */
export const openFollowing = (app, map, latLng) => {
  let isFollowing = false;
  const setFollowing = (isOn) => {
    isFollowing = isOn;
    $('follow').setAttribute('aria-pressed', String(isOn));
  };
  /** Moves the map to the position if it leaves the view, or in any case if that `isForced`. */
  const follow = (isForced) => {
    if (!isFollowing || !app.state) return;
    const here = latLng(app.state.position);
    if (!isForced && map.getBounds().pad(-.25).contains(here)) return;
    map.setView(here, Math.max(map.getZoom(), 13), { animate: false });
  };
  $('follow').addEventListener('click', () => {
    setFollowing(!isFollowing);
    follow(true);
  });
  map.on('dragstart', () => setFollowing(false));
  return { follow, setFollowing };
};
