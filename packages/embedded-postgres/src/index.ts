export { closeToOthers } from "./data-directory.js";
export { type Connection, SERVICE_ROLE } from "./database.js";
export type { EmbeddedLog } from "./embedded-log.js";
export { findRunningServer, removeLeftDirectory } from "./running-server.js";
export { type EmbeddedOptions, type EmbeddedPostgres, startEmbedded } from "./start-embedded.js";
