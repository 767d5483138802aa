import { changeSchedule } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { callerOf } from "../../access/caller/caller.js";
import { serve } from "../../platform/http/endpoint.js";
import { seconds } from "../../platform/http/timestamps.js";
import { isRefusal } from "../../platform/refusal.js";
import { formatSecond } from "../../platform/timestamp.js";
import type { SiteService } from "../operations/site-service.js";

export const scheduleRoutes = (app: FastifyInstance, service: SiteService): void => {
  serve(app, changeSchedule, async ({ params, body, request }) => {
    const times = seconds({ start_time: body.start_time, end_time: body.end_time });
    if (isRefusal(times)) return times;
    const block = await service.changeSchedule(callerOf(request), {
      siteId: params.site_id,
      available: body.available,
      start: times.start_time,
      end: times.end_time,
    });
    if (isRefusal(block)) return block;
    return {
      site_id: block.siteId,
      available: false as const,
      start_time: formatSecond(block.start),
      end_time: formatSecond(block.end),
    };
  });
};
