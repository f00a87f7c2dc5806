// Sound and notifications for alerts, both off until the reader turns them on.

/**
 * Sets up the buttons `sound` and `notify`, and returns an object whose `call` announces an alert.
 *
 * Browsers play no sound before the reader has touched the page, and ask the reader before they
 * notify.
 */
const offerCalls = () => {
  const sound = $('sound'), notify = $('notify');
  let audio = null;
  const isOn = (button) => button.getAttribute('aria-pressed') === 'true';
  const set = (button, on) => button.setAttribute('aria-pressed', String(on));

  /** Two tones, a second long. */
  const ring = () => {
    const now = audio.currentTime;
    for (const [index, pitch] of [660, 880].entries()) {
      const tone = audio.createOscillator(), volume = audio.createGain(), start = now + index * .18;
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(.2, start + .02);
      volume.gain.exponentialRampToValueAtTime(.001, start + .7);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + .75);
    }
  };
  sound.addEventListener('click', async () => {
    set(sound, !isOn(sound));
    if (!isOn(sound)) return;
    audio ??= new AudioContext();
    await audio.resume();
    ring();
  });

  const note = (words) => {
    $('call-note').textContent = words;
  };
  // Only pages from this machine or over HTTPS may notify.
  notify.hidden = !('Notification' in window) || !window.isSecureContext;
  notify.addEventListener('click', async () => {
    if (isOn(notify)) return set(notify, false);
    const answer = Notification.permission === 'granted' ? 'granted' : await Notification.requestPermission();
    set(notify, answer === 'granted');
    note(answer === 'granted' ? '' : 'The browser blocks notifications from this page.');
  });

  return {
    /** Announces an alert in the ways that are turned on. */
    call: (title, words) => {
      if (isOn(sound) && audio) ring();
      if (!isOn(notify)) return;
      try {
        const shown = new Notification(title, { body: words, tag: title });
        shown.addEventListener('click', () => {
          window.focus();
          shown.close();
        });
      } catch {
        // Some phones only allow notifications from installed pages.
        set(notify, false);
        note('This browser only shows notifications from installed pages.');
      }
    },
  };
};
