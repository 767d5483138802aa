import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal, mapResult } from "../../platform/refusal.js";
import { approveStatement, type StatementApprovingStores } from "../operations/approve-statement.js";
import type { DrawingPorts } from "../operations/draw-up-statement.js";
import { type MadeStatement, type MakingStores, makeStatements } from "../operations/make-statement.js";
import type { SharedEnergyPorts } from "../operations/view-shared-energy.js";
import { listStatements, type ViewingPorts } from "../operations/view-statement.js";
import { sharedEnergyRoute } from "./shared-energy.js";
import { serveStatement } from "./statement.js";
import { itemToWire } from "./wire-statement.js";

export type StatementRoutePorts = RepeatablePorts<
  MakingStores & StatementApprovingStores & Pick<ViewingPorts, "sites">
> &
  Pick<DrawingPorts, "standing"> &
  Pick<SharedEnergyPorts, "measured" | "sharedIn">;

const madeToWire = ({ id, accountId, month, version, outcome }: MadeStatement) => ({
  id,
  account_id: accountId,
  month,
  version,
  outcome,
});

export const statementRoutes = (app: FastifyInstance, ports: StatementRoutePorts): void => {
  const viewing: ViewingPorts = { stores: ports.stores, sites: ports.stores.sites, clock: ports.clock };
  serveOnce(app, operator.makeStatements, ports, async ({ body, request }, ports) => {
    const wanted = { month: body.month, accountId: body.account_id ?? null };
    return mapResult(makeStatements(ports, actorOf(request), wanted), (made) => ({ items: made.map(madeToWire) }));
  });
  serve(app, operator.listAllStatements, ({ query }) => {
    const { account_id: accountId = null, month = null, state = null } = query;
    const filter = { accountId, fromMonth: month, toMonth: month, state };
    return listed(query, (page) => listStatements(viewing, "operators", filter, page), itemToWire);
  });
  serveStatement(app, { read: operator.getAnyStatement, download: operator.downloadAnyStatementInputs }, viewing, {
    viewer: () => "operators",
    reader: "operator",
  });
  const { measured, sharedIn } = ports;
  sharedEnergyRoute(
    app,
    operator.getAnySharedEnergy,
    { measured, sharedIn, sites: ports.stores.sites },
    () => "operators",
  );
  serveOnce(app, operator.approveStatement, ports, async ({ params, body, request }, ports) => {
    const approval = { statementId: params.id, version: body.version, note: body.note };
    const versions = await approveStatement(ports, actorOf(request), approval);
    return isRefusal(versions) ? versions : { id: params.id, version: versions.at(-1)?.version ?? body.version };
  });
};
