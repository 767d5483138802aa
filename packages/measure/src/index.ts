export * from "./coarsen.js";
export * from "./grid.js";
export * from "./hour-row.js";
export * from "./load-series.js";
export * from "./local-time.js";
