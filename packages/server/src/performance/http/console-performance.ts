import { participantConsole } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serve } from "../../platform/http/endpoint.js";
import { type AccountCurvePorts, accountCurve } from "../operations/account-curve.js";
import { shown } from "./serve-look.js";
import { accountCurveToWire } from "./wire-performance.js";

/** What the caller's own sites deliver together. */
export const ownPerformanceRoutes = (app: FastifyInstance, ports: AccountCurvePorts): void =>
  serve(app, participantConsole.getAccountCurve, async ({ params, query, request }) => {
    const curve = await accountCurve(ports, callerOf(request), { id: params.id, version: query.version ?? null });
    return shown(curve, accountCurveToWire);
  });
