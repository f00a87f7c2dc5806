// Answers cases with the engine for browsers: a JSON object a line, {places, rules, name, fixes} in
// and {lines} or {error} out.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [script, module] = process.argv.slice(2);
const { load, EVENTS } = await import(script);
const engine = await load(readFileSync(module));

const ALL = Object.values(EVENTS).reduce((sum, bit) => sum + bit);

for await (const line of createInterface({ input: process.stdin })) {
  const { places, rules, name, fixes } = JSON.parse(line);
  let answer;
  try {
    const handle = engine.places(places);
    answer = { lines: engine.replay(handle, rules, name, fixes, ALL, true) };
    engine.forget(handle);
  } catch (error) {
    answer = { error: `${error.message}` };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
