import type { ReadingsSink } from "../service/readings-sink.js";
import type { Log } from "./log.js";
import type { OutputDevices } from "./output-runner.js";

/** Prints what would be written. */
export const dryOutputs = (log: Log): OutputDevices => ({
  write(_, value, { site, output, phase, cause }) {
    log.info("would write", { site, output, value: value ?? "released", phase, cause });
    return Promise.resolve();
  },
  readBack: () => Promise.resolve(null),
});

/** Prints what would be uploaded. */
export const drySink = (log: Log): ReadingsSink => ({
  put(readings) {
    for (const { meterId, endMs, kw } of readings)
      log.info("would upload", { meter: meterId, timestamp: new Date(endMs).toISOString(), kW: kw });
    return Promise.resolve();
  },
  status: { waiting: 0, unstored: 0, refused: 0, dropped: 0, fault: null, disk_fault: null, warnings: [] },
  close: () => Promise.resolve(),
});
