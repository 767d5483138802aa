import type { Logger } from "../platform/runtime/logger.js";

/** Error handler of a pool: logs a broken idle connection. */
export const logBroken =
  (logger: Logger) =>
  (error: Error): void =>
    logger.warn({ err: error }, "an idle database connection broke; it is replaced");
