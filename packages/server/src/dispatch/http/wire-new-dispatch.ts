import type { BodyOf, operator } from "@curtail/contract";
import { seconds } from "../../platform/http/timestamps.js";
import { isRefusal, type Result } from "../../platform/refusal.js";
import type { NewDispatch } from "../operations/plan-dispatch.js";

/** A dispatch as an operator asks for it. */
export const newDispatchFrom = (body: BodyOf<typeof operator.createDispatch>): Result<NewDispatch> => {
  const { start_time, end_time, notification_time } = body;
  const times = seconds({ start_time, end_time, notification_time });
  if (isRefusal(times)) return times;
  return {
    programId: body.program_id,
    start: times.start_time,
    end: times.end_time ?? null,
    notification: times.notification_time ?? null,
    test: body.test ?? false,
    sites: body.sites?.map(({ site_id, commitment }) => ({ siteId: site_id, commitmentKw: commitment })) ?? null,
  };
};
