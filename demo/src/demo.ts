import { setTimeout } from "node:timers/promises";
import { openMemory } from "./memory.js";
import { type Options, readOptions } from "./options.js";
import { run } from "./run.js";
import { refuseSettings, startService } from "./service.js";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
/** Waits so long for the signal that may have ended the service. */
const OWN_SIGNAL_MS = 1000;

/** Starts the service and the fleet, and stops both together. */
const play = async (options: Options): Promise<void> => {
  refuseSettings();
  const stop = new AbortController();
  const asked = new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve());
    // On every signal: a second Ctrl-C must not leave the service running.
    for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => stop.abort());
  });
  // A reader that is gone (`| head`) must not end the demo and leave its service running.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const failed = new Promise<never>((_resolve, reject) => {
    for (const name of ["uncaughtException", "unhandledRejection"]) process.on(name, reject);
  });
  const memory = openMemory(options.dataDir, options.isFresh);
  const { operatorToken } = memory.memory;
  const service = await startService({ dataDir: options.dataDir, operatorToken, port: options.port });
  try {
    const playing = service.ready.then((listening) => run({ options, memory, listening, signal: stop.signal }));
    const gone = service.ended.then(() => {
      if (!stop.signal.aborted) throw new Error("the service has stopped; see the reason above");
    });
    await Promise.race([playing, gone, failed, asked]);
  } catch (error) {
    // Ctrl-C reaches the service too, and on a busy machine its end may be noticed first: that is no failure.
    await Promise.race([asked, setTimeout(OWN_SIGNAL_MS)]);
    if (!stop.signal.aborted) throw error;
  } finally {
    stop.abort();
    await service.stop();
    memory.remember({ playedBy: null });
  }
};

const options = readOptions(process.argv.slice(2));
if ("say" in options) {
  (options.isFault ? process.stderr : process.stdout).write(options.say);
  process.exitCode = options.isFault ? EXIT_USAGE : 0;
} else {
  try {
    await play(options);
  } catch (error) {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = EXIT_FAILED;
  }
}
// Handles left open by an interrupted start must not keep the demo alive.
process.exit();
