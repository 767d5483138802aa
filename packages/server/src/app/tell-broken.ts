import type { Logger } from "../platform/runtime/logger.js";

/** For a pool: a broken idle connection is only logged. */
export const tellBroken =
  (logger: Logger) =>
  (error: Error): void =>
    logger.warn({ err: error }, "an idle database connection broke; it is replaced");
