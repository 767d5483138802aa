import type { LoopClock } from "../platform/clock.js";
import { Polling } from "../platform/polling.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import { RARELY_MS } from "../platform/timetable.js";
import { type RestatingPorts, restateStatements } from "../settlement/operations/restate-statements.js";
import type { SettlementStores } from "../settlement/operations/settlement-stores.js";
import { dueStatementWork } from "../settlement/storage/due-statements.js";
import type { Due } from "./wire-timetable.js";

export interface SettlementWiring {
  readonly config: Config;
  readonly logger: Logger;
  readonly ports: Omit<RestatingPorts, "due" | "onError"> & {
    readonly stores: Pick<SettlementStores, "dueStatements">;
    readonly clock: LoopClock;
  };
  readonly due: Due;
}

/** Keeps statements up to date in worker processes. */
export const wireSettlement = ({ config, logger, ports, due }: SettlementWiring): { stop(): Promise<void> } => {
  if (!config.roles.includes("worker")) return { stop: async () => {} };
  const onError = (error: unknown) => logger.error({ err: error }, "a statement could not be made anew; retrying");
  const drawing = new Polling({
    look: () => restateStatements({ ...ports, due: ports.stores.dueStatements, onError }),
    clock: ports.clock,
    onError,
    everyMs: RARELY_MS,
  });
  due.on(dueStatementWork, drawing);
  drawing.start();
  return drawing;
};
