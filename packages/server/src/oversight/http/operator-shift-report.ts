import { type BodyOf, operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { actorOf } from "../../access/caller/actor.js";
import { actorNames } from "../../access/operations/actor-names.js";
import { serve } from "../../platform/http/endpoint.js";
import { listed } from "../../platform/http/page.js";
import { type RepeatablePorts, serveOnce } from "../../platform/http/serve-once.js";
import { moments, spaceAsPlus } from "../../platform/http/timestamps.js";
import type { PageRequest } from "../../platform/page.js";
import { isRefusal, mapResult, notFound, type Result } from "../../platform/refusal.js";
import type { ShiftReport, ShiftTexts } from "../domain/shift-report.js";
import { draftShift } from "../operations/draw-shift.js";
import { changeShiftReport, type KeepingStores, keepShiftReport } from "../operations/keep-shift-report.js";
import type { ShiftDrawingPorts } from "../operations/shift-ports.js";
import { drawnToWire, itemToWire, previousToWire, reportToWire } from "./wire-shift-report.js";

export type ShiftReportRoutePorts = RepeatablePorts<KeepingStores> & ShiftDrawingPorts;

export const shiftReportRoutes = (app: FastifyInstance, ports: ShiftReportRoutePorts): void => {
  const { shiftReports } = ports.stores;
  serve(app, operator.draftShiftReport, ({ query }) => {
    const times = moments({ from: spaceAsPlus(query.from_time), to: spaceAsPlus(query.to_time) });
    if (isRefusal(times)) return Promise.resolve(times);
    const drafted = draftShift(ports, { from: times.from ?? null, to: times.to ?? null });
    return mapResult(drafted, ({ previous, drawn }) => ({ previous: previousToWire(previous), ...drawnToWire(drawn) }));
  });
  serveOnce(app, operator.keepShiftReport, ports, async ({ body, request }, ports) => {
    const times = moments({ from_time: body.from_time, to_time: body.to_time });
    if (isRefusal(times)) return times;
    const { from_time: from, to_time: to } = times;
    const keeping = { actor: actorOf(request), from, to, previousId: body.previous_id, texts: textsOf(body) };
    return named(ports, keepShiftReport(ports, keeping));
  });
  serve(app, operator.listShiftReports, ({ query }) =>
    listed(
      query,
      (page) => namedItems(ports, page),
      ([report, nameOf]) => itemToWire(report, nameOf),
    ),
  );
  serve(app, operator.getShiftReport, async ({ params, query }) => {
    const report = await shiftReports.find(params.id, query.version ?? null);
    return named(ports, Promise.resolve(report ?? notFound("shift report, or version of it")));
  });
  serveOnce(app, operator.changeShiftReport, ports, ({ params, body, request }, ports) => {
    const edit = { actor: actorOf(request), id: params.id, version: body.version, texts: textsOf(body) };
    return named(ports, changeShiftReport(ports, edit));
  });
};

type Naming = Pick<ShiftReportRoutePorts, "stores">;

const named = (ports: Naming, report: Promise<Result<ShiftReport>>): Promise<Result<operator.ShiftReport>> =>
  mapResult(report, async (found) => {
    const actors = found.versions.map(({ actor }) => actor);
    return reportToWire(found, await actorNames(ports.stores.users, actors));
  });

/** Reports with the names of those who kept and edited them. */
const namedItems = async ({ stores }: Naming, page: PageRequest) => {
  const { items, next } = await stores.shiftReports.list(page);
  const nameOf = await actorNames(
    stores.users,
    items.flatMap(({ keptBy, changedBy }) => [keptBy, changedBy]),
  );
  return { items: items.map((report) => [report, nameOf] as const), next };
};

type Written = Omit<BodyOf<typeof operator.changeShiftReport>, "version">;

/** Those that were sent. */
const textsOf = (body: Written): Partial<ShiftTexts> => ({
  ...(body.summary === undefined ? {} : { summary: body.summary }),
  ...(body.dispatches_note === undefined ? {} : { dispatches: body.dispatches_note }),
  ...(body.alarms_note === undefined ? {} : { alarms: body.alarms_note }),
  ...(body.calls_note === undefined ? {} : { calls: body.calls_note }),
  ...(body.changes_note === undefined ? {} : { changes: body.changes_note }),
  ...(body.next_note === undefined ? {} : { next: body.next_note }),
});
