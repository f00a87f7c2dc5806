// The engine in a worker of the studio's page: takes the scene, and answers questions one by one.
// It is one script with engine.js, and asks nobody for anything.

// Tracks are followed for so many milliseconds before the page hears how far that got, and before it can interrupt.
const PATIENCE = 60, SLICE = 4;

/** The scene that questions are about, and one that gets its walks before it takes its place. */
let engine = null, studio = null, coming = null;
const queue = [], turn = new MessageChannel();

/** Lets messages come in. */
const pause = () =>
  new Promise((resolve) => {
    turn.port1.onmessage = resolve;
    turn.port2.postMessage(null);
  });

/** Follows or simulates tracks, at least one, until a while has passed or somebody has a question. */
const step = async (which) => {
  const began = performance.now();
  let sliced = began;
  while (JSON.parse(studio.ask('step', which)).more) {
    if (performance.now() < sliced + SLICE) continue;
    await pause();
    sliced = performance.now();
    if (sliced > began + PATIENCE || queue.some((one) => !SLOW[one.path])) return;
  }
};
/** Questions that wait for others: how far all tracks are followed or simulated, and changes tried. */
const SLOW = {
  progress: async () => {
    await step('walks');
    return studio.ask('progress');
  },
  remedies: async () => {
    await step('remedy');
    return studio.ask('remedies');
  },
  chances: async () => {
    await step('chances');
    return studio.ask('chances');
  },
};
const TAKES = {
  module: async (bytes) => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    engine = await load(await new Response(stream).arrayBuffer());
  },
  zone: ({ name, bytes }) => engine.zone(name, bytes),
  scene: (text) => {
    coming?.close();
    coming = null;
    coming = engine.studio(text);
  },
  track: ({ name, ...fixes }) => (coming ?? studio).track(name, fixes),
  open: () => {
    studio?.close();
    [studio, coming] = [coming, null];
  },
};
const answerTo = ({ path, body }) => (SLOW[path] ?? TAKES[path] ?? ((question) => studio.ask(path, question)))(body);

let isAtWork = false;
const work = async () => {
  isAtWork = true;
  while (queue.length) {
    const [message] = queue.splice(Math.max(0, queue.findIndex((one) => !SLOW[one.path])), 1);
    try {
      postMessage({ id: message.id, answer: await answerTo(message) });
    } catch (error) {
      // After a trap the engine is of no use any more.
      const words = error.name === 'RuntimeError'
        ? `the engine ended (${error.message}); load the page again`
        : error.message;
      postMessage({ id: message.id, refusal: words });
    }
  }
  isAtWork = false;
};
onmessage = ({ data }) => {
  queue.push(data);
  if (!isAtWork) work();
};
