export * from "./coarsen.js";
export * from "./grid.js";
export * from "./hour-row.js";
