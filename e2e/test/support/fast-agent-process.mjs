// `curtail agent` on a clock that begins at a time and runs faster, as do its waits; prints each reading once it is safe.
// Usage: CONFIG FROM_MS SPEED
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { runAgent, SpoolingSink } from "@curtail/agent";

const [config, from, speed] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const begun = performance.now();
const monotonic = () => (performance.now() - begun) * speed;

const wait = timers.setTimeout;
timers.setTimeout = (ms, ...rest) => wait(ms / speed, ...rest);
syncBuiltinESMExports();

const put = Reflect.get(SpoolingSink.prototype, "put");
SpoolingSink.prototype.put = async function (readings) {
  await put.call(this, readings);
  for (const { meterId, endMs, kw } of readings) process.stdout.write(`${meterId} ${endMs} ${kw}\n`);
};

process.exitCode = await runAgent(
  { config },
  {
    environment: {},
    clock: { monotonic, now: () => from + monotonic() },
    print: () => {},
    printFault: (line) => process.stderr.write(`${line}\n`),
    onHangup: () => {},
    stopped: once(process, "SIGTERM"),
  },
);
