// The worker with the engine, which answers one by one.

let worker = null, last = 0;
/** What waits for each answer, by the number of the message. */
const waiting = new Map();

/** Starts the worker from its script. @param {string} address */
export const startEngine = (address) => {
  worker = new Worker(address, { type: 'module' });
  worker.onmessage = ({ data: { id, answer, refusal } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (refusal === undefined) resolve(answer);
    else reject(new Error(refusal));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    for (const { reject } of waiting.values()) reject(new Error(event.message ?? 'its worker does not start'));
    waiting.clear();
  };
};

/**
 * Tells the worker something, or asks it.
 *
 * @returns {Promise<string|undefined>} The answer to a question is JSON.
 */
export const tellEngine = (path, body = '') =>
  new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, { resolve, reject });
    worker.postMessage({ id: last, path, body });
  });
