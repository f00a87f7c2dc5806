// Distances and speeds in the reader's units.

const FEET = 3.28083989501312, FEET_PER_MILE = 5280;
let isImperial = false;

/** A distance in meters as words, such as `350 m` or `0.22 mi`. */
export const distanceWords = (value) => {
  if (value === null || !Number.isFinite(value)) return 'any distance';
  if (isImperial) {
    const feet = value * FEET;
    return feet < 1000
      ? `${feet < 10 ? feet.toFixed(1) : Math.round(feet)} ft`
      : `${(feet / FEET_PER_MILE).toFixed(feet < 10 * FEET_PER_MILE ? 2 : 1)} mi`;
  }
  return value < 1000
    ? `${value < 10 ? value.toFixed(1) : Math.round(value)} m`
    : `${(value / 1000).toFixed(value < 10000 ? 2 : 1)} km`;
};
/** A speed in meters per second as words. */
export const speedWords = (value) =>
  isImperial ? `${(value * FEET / FEET_PER_MILE * 3600).toFixed(1)} mph` : `${(value * 3.6).toFixed(1)} km/h`;

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Sets up the choice of units and of the zone of shown times. The browser remembers the units.
 *
 * @param app What the page shows; see `studio.js`.
 * @param changed Called after a choice.
 */
export const openUnits = (app, changed) => {
  const units = $('units'), zones = $('shown-zone'), first = app.scene.zone;
  try {
    isImperial = localStorage.getItem('units') === 'imperial';
  } catch { /* The page begins with metric units. */ }
  units.value = isImperial ? 'imperial' : 'metric';
  units.addEventListener('change', () => {
    isImperial = units.value === 'imperial';
    try {
      localStorage.setItem('units', units.value);
    } catch { /* The choice lasts as long as the page. */ }
    changed();
  });
  for (const zone of new Set([first === 'Z' ? 'UTC' : first, 'UTC', ownZone()])) {
    const option = element('option', zone);
    option.value = zone;
    zones.append(option);
  }
  zones.addEventListener('change', () => {
    app.scene.zone = zones.value;
    changed();
  });
};
