import { Polling } from "../platform/polling.js";
import { RARELY_MS } from "../platform/timetable.js";
import { type RestatingPorts, restateStatements } from "../settlement/operations/restate-statements.js";
import type { SettlementStores } from "../settlement/operations/settlement-stores.js";
import { dueStatementWork } from "../settlement/storage/due-statements.js";
import { type Basis, NOTHING, type Stopping } from "./basis.js";

type SettlementPorts = Omit<RestatingPorts, "due" | "onError"> & {
  readonly stores: Pick<SettlementStores, "dueStatements">;
};

/** Keeps statements up to date in worker processes. */
export const wireSettlement = ({ config, logger, clock, due }: Basis, ports: SettlementPorts): Stopping => {
  if (!config.roles.includes("worker")) return NOTHING;
  const onError = (error: unknown) => logger.error({ err: error }, "a statement could not be made anew; retrying");
  const look = () => restateStatements({ ...ports, due: ports.stores.dueStatements, onError });
  const drawing = new Polling({ look, clock, onError, everyMs: RARELY_MS });
  due.on(dueStatementWork, drawing);
  drawing.start();
  return drawing;
};
