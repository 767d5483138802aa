import type { Logger } from "../platform/runtime/logger.js";

/** For a pool: an idle connection that breaks is worth a line, and no more. */
export const tellBroken =
  (logger: Logger) =>
  (error: Error): void =>
    logger.warn({ err: error }, "an idle database connection broke; it is replaced");
