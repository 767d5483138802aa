import { dirname, join, resolve } from "node:path";
import { lookAtSpool } from "@curtail/spool";
import type { Check } from "../check.js";
import { textIn } from "../whole-file.js";
import { inputsIn, inputsWaiting } from "./kept-input.js";
import { listenersIn } from "./listen-state.js";
import { type AgentAnswer, agentCheck, listenerCheck, spoolCheck } from "./machine-checks.js";
import type { ParticipantIo } from "./participant-io.js";
import type { RunningCommand } from "./running-commands.js";
import { uploadFolders } from "./spool-folders.js";

/** Checks of everything of this product on the machine: spools, agents and listeners, whatever key they have. */
export async function* machineChecks(io: ParticipantIo): AsyncGenerator<Check> {
  const running = io.runningCommands();
  const agents = running.flatMap(agentOf);
  const spools = [
    ...uploadFolders(io.stateFolder).flatMap((each) =>
      ["telemetry", "controllable-load"].map((kind) => join(each, kind)),
    ),
    ...running.flatMap(spoolsGiven),
    ...agents.flatMap(({ state }) => (state === null ? [] : [join(state, "spool")])),
  ];
  for (const folder of new Set(spools)) {
    const look = await lookAtSpool(folder).catch(() => null);
    const files = folder.endsWith("telemetry") ? await inputsWaiting(inputsIn(dirname(folder))) : 0;
    if (look === null || look.waiting + look.setAside + files + (look.usedBy ?? 0) === 0) continue;
    yield spoolCheck({ ...look, folder, waiting: look.waiting + files }, io.now().getTime());
  }
  for (const { name, port } of agents) if (port !== null) yield agentCheck(name, await answerOf(port));
  const forwarding = running.flatMap((each) => (each.words[0] === "listen" ? each.words : []));
  for (const each of listenersIn(io.stateFolder))
    yield listenerCheck({ ...each, isRunning: forwarding.some((word) => word.endsWith(each.target)) });
}

const optionOf = ({ words, folder }: RunningCommand, name: string): string | null => {
  const at = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
  const given = words[at]?.startsWith(`${name}=`) === true ? words[at]?.slice(name.length + 1) : words[at + 1];
  return at < 0 || given === undefined ? null : resolve(folder ?? "/", given);
};

/** Spools that an upload keeps elsewhere. */
const spoolsGiven = (running: RunningCommand): readonly string[] => {
  const folder = running.words[0] === "upload" ? optionOf(running, "--spool") : null;
  const folders = folder === null ? [] : [folder, ...uploadFolders(folder)];
  return folders.flatMap((each) => [join(each, "telemetry"), join(each, "controllable-load")]);
};

interface FoundAgent {
  readonly name: string;
  /** Its folder of what outlives a restart; null if its configuration cannot be read by this user. */
  readonly state: string | null;
  /** Port of its page; null for none. */
  readonly port: number | null;
}

const STANDARD_PORT = 8180;

/** The two settings that matter here, read without the agent's own schema, which this program does not have. */
const agentOf = (running: RunningCommand): readonly FoundAgent[] => {
  if (running.words[0] !== "agent") return [];
  const config = optionOf(running, "--config");
  const text = config === null ? null : readable(config);
  const name = `process ${running.pid}${config === null ? "" : ` (${config})`}`;
  if (config === null || text === null) return [{ name, state: null, port: STANDARD_PORT }];
  const state = /^state:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/m.exec(text)?.[1];
  const isWithoutPage = /^status:\s*false\b/m.test(text);
  const port = Number(/^status:\s*(?:\{\s*|\n\s+)port:\s*(\d+)/m.exec(text)?.[1] ?? STANDARD_PORT);
  return [
    { name, state: state === undefined ? null : resolve(dirname(config), state), port: isWithoutPage ? null : port },
  ];
};

/** Null for a file that belongs to another user. */
const readable = (file: string): string | null => {
  try {
    return textIn(file);
  } catch {
    return null;
  }
};

const TIMEOUT_MS = 2000;

const answerOf = async (port: number): Promise<AgentAnswer | null> => {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/status.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const answer = (await response.json()) as AgentAnswer | null;
    return typeof answer?.service?.url === "string" ? answer : null;
  } catch {
    return null;
  }
};
