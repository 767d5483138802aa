import { join } from "node:path";
import { createParticipant } from "@curtail/client";
import { SpoolInUse } from "@curtail/spool";
import type { AgentConfig } from "../config/config.js";
import { faultLine, readConfigFile } from "../config/read-config.js";
import { messageOf } from "../devices/device.js";
import { type RehearsalOptions, rehearse } from "../rehearse/rehearse.js";
import { ServiceKey } from "../service/service-key.js";
import { SpoolingSink } from "../service/spooling-sink.js";
import { serveStatus } from "../status/status-server.js";
import { Agent, type AgentParts } from "./agent.js";
import { checkOnce } from "./check.js";
import type { Clock } from "./clock.js";
import { dryOutputs, drySink } from "./dry-run.js";
import { createLog } from "./log.js";
import { notifySystemd } from "./systemd.js";

export interface AgentOptions extends RehearsalOptions {
  /** Path of the YAML file. */
  readonly config?: string;
  readonly dryRun?: boolean;
  readonly check?: boolean;
  readonly rehearse?: boolean;
}

/** What the command takes from the process. */
export interface AgentIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly print: (line: string) => void;
  readonly printFault: (line: string) => void;
  /** Calls a listener at each request to read the key again (SIGHUP). */
  readonly onHangup: (listener: () => void) => void;
  /** Resolves at the first request to stop. */
  readonly stopped: Promise<unknown>;
}

/** Runs `curtail agent`. Returns the exit code: 0, 1 after a failure, 2 for a configuration that is wrong. */
export const runAgent = async (options: AgentOptions, io: AgentIo): Promise<number> => {
  const misuse = misuseOf(options);
  if (misuse !== null) {
    io.printFault(misuse);
    return 2;
  }
  const config = readOrExplain(options, io);
  if (config === null) return 2;
  if (options.rehearse === true) return await rehearseOrExplain(config, options, io);
  if (options.check === true) return (await checkOnce(config, io.print)) ? 0 : 1;
  const { clock } = io;
  const log = createLog(config.log, io.print, clock.now);
  const key = new ServiceKey(config.service, clock.monotonic);
  const agent = await agentOrExplain(config, { clock, log, key }, options, io);
  if (agent === null) return 1;
  io.onHangup(() => {
    if (key.reload()) log.info("SIGHUP: the key was read again");
    else log.warn("SIGHUP: nothing was read again: the key is not in a key_file");
  });
  const page = await serve(config, agent);
  await agent.start();
  log.info("started", {
    sites: config.sites.length,
    ...(page === null ? {} : { status: `http://127.0.0.1:${page.port}/` }),
  });
  const end = notifySystemd(io.environment);
  await io.stopped;
  end();
  await page?.close();
  await agent.stop();
  log.info("stopped; outputs stay as they are");
  return 0;
};

/** Two agents on one state folder would work against each other. */
const agentOrExplain = async (
  config: AgentConfig,
  context: AgentContext,
  { dryRun }: AgentOptions,
  { printFault }: AgentIo,
): Promise<Agent | null> => {
  try {
    return dryRun === true ? dryAgent(config, context) : await realAgent(config, context);
  } catch (error) {
    if (!(error instanceof SpoolInUse)) throw error;
    printFault(
      `Stop process ${error.pid}, or give this agent a \`state\` of its own: another agent uses ${config.stateFolder}.`,
    );
    return null;
  }
};

type AgentContext = Pick<AgentParts, "clock" | "log" | "key">;

const dryAgent = (config: AgentConfig, context: AgentContext): Agent =>
  new Agent(config, { ...context, sink: drySink(context.log), outputs: dryOutputs(context.log) });

const realAgent = async (config: AgentConfig, context: AgentContext): Promise<Agent> => {
  const participant = createParticipant({ ...context.key.access, retry: { attempts: 1 } });
  const sink = await SpoolingSink.open(join(config.stateFolder, "spool"), participant, context.key);
  return new Agent(config, { ...context, sink });
};

const serve = async ({ statusPort }: AgentConfig, agent: Agent) =>
  statusPort === null
    ? null
    : await serveStatus(statusPort, {
        status: () => agent.status,
        override: (site, command) => agent.override(site, command, "status page"),
      });

/** What is wrong with options that do not fit together; null: nothing. */
const misuseOf = ({ config, rehearse, check, dryRun, at, timezone, json }: AgentOptions): string | null => {
  if (config === undefined) return "Name the configuration: curtail agent --config agent.yaml.";
  if ([rehearse, check, dryRun].filter((each) => each === true).length > 1)
    return "Give one of --rehearse, --check and --dry-run.";
  if (rehearse === true || (at ?? timezone ?? json) === undefined) return null;
  return "Add --rehearse: --at, --timezone and --json belong to it.";
};

const rehearseOrExplain = async (
  config: AgentConfig,
  options: AgentOptions,
  { clock, print, printFault }: AgentIo,
): Promise<number> => {
  const rehearsed = await rehearse(config, options, clock.now());
  if ("fault" in rehearsed) {
    printFault(rehearsed.fault);
    return 2;
  }
  for (const line of rehearsed.lines) print(line);
  return 0;
};

const readOrExplain = (
  { config: path = "", rehearse: isWithoutSecrets = false }: AgentOptions,
  { environment, printFault }: AgentIo,
): AgentConfig | null => {
  try {
    const read = readConfigFile(path, { environment, isWithoutSecrets });
    if ("config" in read) return read.config;
    for (const fault of read.faults) printFault(faultLine(path, fault));
  } catch (error) {
    printFault(`${path} cannot be read: ${messageOf(error)}`);
  }
  return null;
};
