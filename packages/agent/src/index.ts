export { parseConfig } from "./config/read-config.js";
export { Agent, type AgentParts } from "./run/agent.js";
export { type Clock, systemClock } from "./run/clock.js";
export { createLog } from "./run/log.js";
export { type AgentIo, type AgentOptions, runAgent } from "./run/run-agent.js";
export { ServiceKey } from "./service/service-key.js";
export { SpoolingSink } from "./service/spooling-sink.js";
export type { Status } from "./status/status.js";
