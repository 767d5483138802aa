export * from "./endpoints.js";
export * from "./user.js";
