// `curtail agent` with a clock that runs twenty times as fast; prints each reading once it is safe. Usage: CONFIG
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Agent, createLog, parseConfig, SpoolingSink } from "@curtail/agent";
import { createParticipant } from "@curtail/client";

const begun = performance.now();
// The time of the machine at the first start: a later one goes on from where it would be.
const epoch = Number(process.argv[3]);
const start = epoch + (Date.now() - epoch) * 20 - 120_000;
const monotonic = () => (performance.now() - begun) * 20;
const clock = { monotonic, now: () => start + monotonic() };

const read = parseConfig(readFileSync(process.argv[2], "utf8"), { environment: {}, readText: () => "" });
if ("faults" in read) throw new Error(JSON.stringify(read.faults));
const { config } = read;
const participant = createParticipant({ ...config.service, retry: { attempts: 1 } });
const spooling = await SpoolingSink.open(join(config.stateFolder, "spool"), participant);
const sink = {
  async put(readings) {
    await spooling.put(readings);
    for (const { endMs } of readings) process.stdout.write(`reading ${new Date(endMs).toISOString()}\n`);
  },
  get status() {
    return spooling.status;
  },
  close: () => spooling.close(),
};
await new Agent(config, { clock, log: createLog("words", () => {}, clock.now), sink }).start();
