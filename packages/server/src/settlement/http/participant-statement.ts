import { downloadStatementInputs, getSharedEnergy, getStatement, listStatements as listing } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import type { SharedEnergyPorts } from "../operations/view-shared-energy.js";
import { listStatements, type ViewingPorts } from "../operations/view-statement.js";
import { sharedEnergyRoute } from "./shared-energy.js";
import { serveStatement } from "./statement.js";
import { itemToWire } from "./wire-statement.js";

/** The statements of the caller's own account. */
export const ownStatementRoutes = (app: FastifyInstance, ports: ViewingPorts & SharedEnergyPorts): void => {
  sharedEnergyRoute(app, getSharedEnergy, ports, callerOf);
  serve(app, listing, ({ query, request }) => {
    const { month = null } = query;
    const filter = { accountId: null, fromMonth: month, toMonth: month, state: null };
    return listed(query, (page) => listStatements(ports, callerOf(request), filter, page), itemToWire);
  });
  serveStatement(app, { read: getStatement, download: downloadStatementInputs }, ports, {
    viewer: callerOf,
    reader: "participant",
  });
};
