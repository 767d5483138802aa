import type { Endpoint, ReplyOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { type Call, NotYet, serveAs } from "../../platform/http/endpoint.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { Visible } from "../../portfolio/operations/visible-sites.js";
import { isPreparing, type LookResult } from "../operations/live/preparing.js";
import type { SiteReport } from "../operations/measure-dispatch.js";
import { ASK_AGAIN_SECONDS, curveToCsv, preparingToWire } from "./wire-performance.js";

/** The answer to a look. */
export const shown = <T, Wire>(looked: LookResult<T>, toWire: (report: T) => Wire): Result<Wire> | NotYet => {
  if (isRefusal(looked)) return looked;
  return isPreparing(looked) ? new NotYet(preparingToWire(looked), ASK_AGAIN_SECONDS) : toWire(looked);
};

interface Curve<E extends Endpoint> {
  readonly find: (call: Call<E>) => Promise<LookResult<Visible<SiteReport>>>;
  readonly toWire: (report: Visible<SiteReport>) => ReplyOf<E>;
}

/** Serves a site's curves as JSON, or as CSV on request. */
export const serveCurve = <E extends Endpoint>(app: FastifyInstance, endpoint: E, { find, toWire }: Curve<E>): void =>
  serveAs(app, endpoint, async (call) => {
    const { format } = call.query as { readonly format?: "json" | "csv" };
    return shown(await find(call), (report) =>
      format === "csv"
        ? { type: "text/csv; charset=utf-8", body: curveToCsv(report) }
        : { type: "application/json; charset=utf-8", body: JSON.stringify(toWire(report)) },
    );
  });
