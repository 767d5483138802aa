export * from "./calendar.js";
export * from "./hint.js";
export * from "./invitation.js";
export * from "./session.js";
