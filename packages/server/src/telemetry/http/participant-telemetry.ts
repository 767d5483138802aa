import type { IncomingMessage } from "node:http";
import { readTelemetry, uploadControllableLoad, uploadTelemetry } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf, readerOf } from "../../access/caller/caller.js";
import type { AnswerBudget } from "../../platform/http/answer-budget.js";
import { serve, serveJson } from "../../platform/http/endpoint.js";
import { madeWithin } from "../../platform/http/large-answer.js";
import type { OpenBodies } from "../../platform/http/open-bodies.js";
import { requestValue } from "../../platform/http/request-value.js";
import { moments, spaceAsPlus } from "../../platform/http/timestamps.js";
import { DAY_MS } from "../../platform/period.js";
import { isRefusal, mapResult, type Result } from "../../platform/refusal.js";
import type { UploadedControllableLoad } from "../domain/controllable-load.js";
import type { TelemetryUpload } from "../operations/record-telemetry.js";
import type { Received, TelemetryService, UploadService } from "../operations/telemetry-service.js";
import type { Upload } from "../operations/upload.js";
import { takeUploads, uploadOf } from "./upload-body.js";
import { plainReader } from "./upload-reader.js";
import { MOST_BYTES_A_POINT, telemetryJson } from "./wire-telemetry.js";

const DEFAULT_INTERVAL_SECONDS = 30;

/** Only for uploads, which alone may be large. */
export interface UploadSettings {
  readonly bodies: OpenBodies;
  readonly maxBodyBytes: number;
  readonly maxReadings: number;
}

/** Meters' uploads. */
export const uploadRoutes = (
  app: FastifyInstance,
  service: UploadService,
  { bodies, maxBodyBytes: maxBytes, maxReadings }: UploadSettings,
): void => {
  app.register(async (scope) => {
    const endpoint = uploadTelemetry;
    takeUploads(scope, bodies, { endpoint, list: "telemetry", maxBytes, maxReadings, fastReader: plainReader });
    serve(scope, endpoint, ({ body, request }) =>
      mapResult(
        outcomes.get(request.raw) ?? service.recordTelemetry(callerOf(request), uploadOf(body) as TelemetryUpload),
        receivedToWire,
      ),
    );
  });

  app.register(async (scope) => {
    const endpoint = uploadControllableLoad;
    takeUploads(scope, bodies, { endpoint, list: "controllable_load", maxBytes, maxReadings });
    serve(scope, endpoint, ({ body, request }) =>
      mapResult(
        service.recordControllableLoad(callerOf(request), uploadOf(body) as Upload<UploadedControllableLoad>),
        receivedToWire,
      ),
    );
  });
};

const outcomes = requestValue<Promise<Result<Received>>, IncomingMessage>();

/** What became of an upload that is left to its route to answer. */
export const setOutcome = (raw: IncomingMessage, outcome: Promise<Result<Received>>): void =>
  outcomes.set(raw, outcome);

export const receivedToWire = ({ received, warnings = [] }: Received) =>
  warnings.length === 0 ? { received } : { received, warnings: [...warnings] };

export const readingRoutes = (app: FastifyInstance, service: TelemetryService, budget: AnswerBudget): void =>
  serveJson(app, readTelemetry, async ({ query, request, reply }) => {
    const times = moments({ start_time: spaceAsPlus(query.start_time), end_time: spaceAsPlus(query.end_time) });
    if (isRefusal(times)) return times;
    const intervalSeconds = query.interval_seconds ?? DEFAULT_INTERVAL_SECONDS;
    const startMs = times.start_time.getTime();
    const endMs = times.end_time?.getTime() ?? startMs + DAY_MS;
    const window = { startMs, endMs, intervalSeconds };
    const answer = await service.readTelemetry(callerOf(request), query.site_id, window);
    if (isRefusal(answer)) return answer;
    const chunks = telemetryJson(answer, intervalSeconds);
    const mostBytes = answer.mostPoints * MOST_BYTES_A_POINT;
    return madeWithin(budget, readerOf(request), { chunks, mostBytes }, reply);
  });
