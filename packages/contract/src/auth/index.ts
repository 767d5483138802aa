export * from "./calendar.js";
export * from "./hint.js";
export * from "./invitation.js";
export * from "./language.js";
export * from "./notice-preferences.js";
export * from "./push-subscription.js";
export * from "./session.js";
