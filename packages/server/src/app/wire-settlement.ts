import type { LoopClock } from "../platform/clock.js";
import type { Config } from "../platform/runtime/config.js";
import type { Logger } from "../platform/runtime/logger.js";
import { Restating, type RestatingPorts } from "../settlement/operations/restate-statements.js";
import type { SettlementStores } from "../settlement/operations/settlement-stores.js";
import { statementWatch } from "../settlement/worker/statement-watch.js";

export interface SettlementWiring {
  readonly config: Config;
  readonly logger: Logger;
  readonly ports: Omit<RestatingPorts, "due" | "onError"> & {
    readonly stores: Pick<SettlementStores, "dueStatements">;
    readonly clock: LoopClock;
  };
}

/** Keeps statements up to date in worker processes. */
export const wireSettlement = ({ config, logger, ports }: SettlementWiring): { stop(): Promise<void> } => {
  if (!config.roles.includes("worker")) return { stop: async () => {} };
  const onError = (error: unknown) => logger.error({ err: error }, "a statement could not be made anew; retrying");
  const restating = new Restating({ ...ports, due: ports.stores.dueStatements, onError });
  const watch = statementWatch({ look: () => restating.look(), clock: ports.clock, onError });
  watch.start();
  return watch;
};
