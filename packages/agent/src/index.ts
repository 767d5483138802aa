export { type AgentIo, type AgentOptions, runAgent } from "./run/run-agent.js";
