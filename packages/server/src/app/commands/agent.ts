import { once } from "node:events";
import { type AgentOptions, runAgent, systemClock } from "@curtail/agent";
import { processEnvironment } from "../../platform/runtime/config.js";

/** `curtail agent`: needs neither the service's settings nor its database. */
export const agent = async (options: AgentOptions): Promise<void> => {
  const exitCode = await runAgent(options, {
    environment: processEnvironment(),
    clock: systemClock,
    print: (line) => void process.stdout.write(`${line}\n`),
    printFault: (line) => void process.stderr.write(`${line}\n`),
    onHangup: (listener) => void process.on("SIGHUP", listener),
    stopped: Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]),
  });
  // Connections that are being given up would hold the process.
  process.exit(exitCode);
};
