import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type AgentOptions, runAgent } from "../../../src/run/run-agent.js";

export const root = fileURLToPath(new URL("../../../../..", import.meta.url));
export const day = { rehearse: true, at: "2026-10-25", timezone: "Europe/Berlin" } as const;

export const run = async (options: AgentOptions) => {
  const printed: string[] = [];
  const faults: string[] = [];
  const code = await runAgent(options, {
    environment: {},
    clock: { now: () => Date.UTC(2026, 6, 1), monotonic: () => 0 },
    print: (line) => printed.push(line),
    printFault: (line) => faults.push(line),
    onHangup: () => {},
    stopped: Promise.resolve(),
  });
  return { code, printed, faults };
};

/** A configuration in a file of its own. */
export const written = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "curtail-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "agent.yaml");
  writeFileSync(file, text);
  return file;
};

/** A site with one meter and one output, whose day takes less time than that of the example. */
export const small = `
service: { url: "https://curtail.example.com", key_env: NOT_SET }
state: /var/lib/curtail-agent
connections: { plc: { modbus: { host: 192.0.2.10 } } }
sites:
  - id: site_1
    name: Mill
    control: { contact: { lost_after: 5m, action: release, after: 30m } }
    meters:
      - { id: mtr_1, name: grid, unit: kW, range: [0, 500], poll: 30s, source: { modbus: { connection: plc, table: input, address: 1, type: uint16 } } }
    outputs:
      - { name: limit, to: { modbus: { connection: plc, table: holding, address: 2, type: int16 } }, curtail: 1, normal: 0 }
`;

const TICK_MS = 10;

/** Processor time of this thread, since other tests run beside it. Only Linux tells: elsewhere that of the process. */
const processorMs = (): number => {
  if (!existsSync("/proc/thread-self/stat")) return process.cpuUsage().user / 1000;
  const [, afterName = ""] = readFileSync("/proc/thread-self/stat", "utf8").split(") ");
  const [user = 0, system = 0] = afterName.split(" ").slice(11, 13).map(Number);
  return (user + system) * TICK_MS;
};

/** The day of a file, and the processor time that it took. */
export const played = async (file: string) => {
  const begun = processorMs();
  const ran = await run({ config: join(root, file), ...day });
  return { ...ran, ms: processorMs() - begun };
};
