export * from "./change.js";
export * from "./contact.js";
export * from "./endpoints.js";
export * from "./key.js";
export * from "./onboarding.js";
export * from "./overview.js";
export * from "./user.js";
export * from "./webhook.js";
