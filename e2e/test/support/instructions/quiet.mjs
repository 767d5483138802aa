// Loaded into a process whose instructions are counted. Its loops rest until something wakes them: what they do by the clock
// would count for more on a slower machine. A message makes each request cost more, as in a slower version.
import { channel } from "node:diagnostics_channel";

/** Shorter timers are part of a request. */
const LEAST_MS = 100;
const TIMES_LONGER = 1000;
const LONGEST_MS = 2 ** 31 - 1;

const { setTimeout: after, setInterval: every } = globalThis;
const slowed = (ms) => (ms < LEAST_MS ? ms : Math.min(ms * TIMES_LONGER, LONGEST_MS));
globalThis.setTimeout = Object.assign((work, ms, ...given) => after(work, slowed(ms), ...given), after);
globalThis.setInterval = (work, ms, ...given) => every(work, slowed(ms), ...given);

let planted = 0;
const spend = () => {
  let left = planted;
  while (left > 0) left -= 1;
};
channel("http.server.request.start").subscribe(spend);

process.on("message", ({ plant }) => {
  planted = plant;
  process.send({ planted });
});
process.channel?.unref();
