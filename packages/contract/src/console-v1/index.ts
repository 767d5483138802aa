export * from "./endpoints.js";
export * from "./energy.js";
export * from "./user.js";
