import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { serveOnce } from "../../platform/http/serve-once.js";
import { isRefusal } from "../../platform/refusal.js";
import { enrolSites, type Skipped, withdrawSites } from "../operations/enrol-sites.js";
import { baselineFrom, type ProgramRoutePorts } from "./operator-program.js";

const skippedToWire = <Reason extends string>({ siteId, reason }: Skipped<Reason>) => ({ site_id: siteId, reason });

/** Enrolments of several sites at once. */
export const severalEnrolmentRoutes = (app: FastifyInstance, ports: ProgramRoutePorts): void => {
  serveOnce(app, operator.enrolSites, ports, async ({ params, body, request }, ports) => {
    const result = await enrolSites(ports, actorOf(request), {
      programId: params.id,
      siteIds: body.site_ids,
      commitmentKw: body.commitment ?? null,
      baseline: baselineFrom(body.baseline ?? null),
    });
    if (isRefusal(result)) return result;
    return { enrolled: [...result.enrolled], skipped: result.skipped.map(skippedToWire) };
  });
  serveOnce(app, operator.withdrawSites, ports, async ({ params, body, request }, ports) => {
    const result = await withdrawSites(ports, actorOf(request), {
      programId: params.id,
      siteIds: body.site_ids,
      isConfirmed: body.confirm_running === true,
    });
    if (isRefusal(result)) return result;
    return { withdrawn: [...result.withdrawn], skipped: result.skipped.map(skippedToWire) };
  });
};
