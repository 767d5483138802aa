import type { SessionPorts } from "../operations/sign-in-ports.js";
import type { SessionCheckPorts } from "./session-check.js";

/** What the routes below /auth work with. */
export type SessionRoutePorts = SessionPorts & SessionCheckPorts;
