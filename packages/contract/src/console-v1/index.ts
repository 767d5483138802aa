export * from "./change.js";
export * from "./endpoints.js";
export * from "./overview.js";
export * from "./user.js";
