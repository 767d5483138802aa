import type { SessionPorts } from "../operations/sign-in-ports.js";
import type { SessionCheckPorts } from "./session-check.js";

/** Ports of the routes below /auth. */
export type SessionRoutePorts = SessionPorts & SessionCheckPorts;
