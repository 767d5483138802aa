export * from "./contact.js";
export * from "./endpoints.js";
export * from "./evidence.js";
export * from "./key.js";
export * from "./request-log.js";
export * from "./schedule.js";
export * from "./user.js";
export * from "./webhook.js";
