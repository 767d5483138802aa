import { readTelemetry, uploadControllableLoad, uploadTelemetry } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { DAY_MS } from "../../domain/period.js";
import { isRefusal } from "../../domain/refusal.js";
import type { ParticipantService } from "../../operations/participant-service.js";
import type { AnswerBudget } from "../answer-budget.js";
import { callerOf, readerOf } from "../caller.js";
import { serve, serveJson } from "../endpoint.js";
import { madeWithin } from "../large-answer.js";
import { PlainUpload, takePlainUploads } from "../plain-upload.js";
import { moments, spaceAsPlus } from "../timestamps.js";
import { MOST_BYTES_A_POINT, telemetryJson } from "../wire/telemetry.js";

const DEFAULT_INTERVAL_SECONDS = 30;

/** What meters send. */
export const uploadRoutes = (app: FastifyInstance, service: ParticipantService): void => {
  app.register(async (uploads) => {
    takePlainUploads(uploads);
    serve(uploads, uploadTelemetry, async ({ body, request }) => {
      const upload = body instanceof PlainUpload ? body : body.telemetry;
      const received = await service.recordTelemetry(callerOf(request), upload);
      return isRefusal(received) ? received : { received };
    });
  });

  serve(app, uploadControllableLoad, async ({ body, request }) => {
    const received = await service.recordControllableLoad(callerOf(request), body.controllable_load);
    return isRefusal(received) ? received : { received };
  });
};

export const readingRoutes = (app: FastifyInstance, service: ParticipantService, budget: AnswerBudget): void =>
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
