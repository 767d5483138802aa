import { createTestDispatch, getDispatch, listDispatches } from "@curtail/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import type { Within } from "../../platform/answer-once.js";
import { serve, serveTagged } from "../../platform/http/endpoint.js";
import { type OncePorts, serveOnce } from "../../platform/http/serve-once.js";
import { seconds } from "../../platform/http/timestamps.js";
import { isRefusal, mapResult } from "../../platform/refusal.js";
import type { IssuingStores } from "../operations/create-dispatch.js";
import type { DispatchService, Visibility } from "../operations/dispatch-service.js";
import { dispatchToWire } from "./wire-dispatch.js";

/** Header that says who asks. */
export interface CredentialHeader {
  readonly credentialHeader: string;
}

export type TestPorts = OncePorts<Within<IssuingStores>> & Partial<Within<IssuingStores>>;

export const dispatchRoutes = (
  app: FastifyInstance,
  service: DispatchService,
  { credentialHeader, ...ports }: TestPorts & CredentialHeader,
): void => {
  serveTagged(app, listDispatches, credentialHeader, async ({ request }) => {
    const dispatches = await service.listDispatches(callerOf(request), visibilityOf(request));
    return { dispatches: dispatches.map(dispatchToWire), page: 0, perPage: 0 };
  });

  serve(app, getDispatch, ({ params, request }) =>
    mapResult(service.findDispatch(callerOf(request), params.id, visibilityOf(request)), dispatchToWire),
  );

  serveOnce(app, createTestDispatch, ports, async ({ body, request }, within) => {
    const times = seconds({ start_time: body.start_time, end_time: body.end_time });
    if (isRefusal(times)) return times;
    const test = { start: times.start_time, end: times.end_time, programId: body.program_id ?? null };
    return mapResult(service.createTestDispatch(callerOf(request), test, within), dispatchToWire);
  });
};

const visibilityOf = ({ method }: FastifyRequest): Visibility => (method === "HEAD" ? "unseen" : "seen");
