export * from "./invitation.js";
export * from "./session.js";
