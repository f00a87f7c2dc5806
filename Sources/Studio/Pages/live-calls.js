// Sound and notifications at an alert, both only on request.

/**
 * Offers the buttons `sound` and `notify`, and answers with what calls at an alert.
 *
 * A browser makes no sound before somebody has touched the page, and asks itself whether the page may notify.
 */
const offerCalls = () => {
  const sound = $('sound'), notify = $('notify');
  let audio = null;
  const isOn = button => button.getAttribute('aria-pressed') === 'true';
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

  const note = words => { $('call-note').textContent = words; };
  // Browsers let only pages of this machine or behind HTTPS notify.
  notify.hidden = !('Notification' in window) || !window.isSecureContext;
  notify.addEventListener('click', async () => {
    if (isOn(notify)) return set(notify, false);
    const answer = Notification.permission === 'granted' ? 'granted' : await Notification.requestPermission();
    set(notify, answer === 'granted');
    note(answer === 'granted' ? '' : 'The browser does not let this page notify.');
  });

  return {
    /** Calls at an alert, as far as that is wanted. */
    call: (title, words) => {
      if (isOn(sound) && audio) ring();
      if (!isOn(notify)) return;
      try {
        const shown = new Notification(title, { body: words, tag: title });
        shown.addEventListener('click', () => { window.focus(); shown.close(); });
      } catch {
        // Some phones allow notifications from installed pages only.
        set(notify, false);
        note('This browser notifies from installed pages only.');
      }
    },
  };
};
