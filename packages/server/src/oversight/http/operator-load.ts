import { operator } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../../platform/clock.js";
import { serve } from "../../platform/http/endpoint.js";
import { moments, momentToWire, spaceAsPlus } from "../../platform/http/timestamps.js";
import { DAY_MS, HOUR_MS } from "../../platform/period.js";
import { invalid, isRefusal } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import type { PortfolioLoad } from "../../telemetry/operations/portfolio-load.js";
import type { OverviewReader } from "../operations/operator-overview.js";

export interface PortfolioLoadRoutePorts {
  readonly portfolioLoad: PortfolioLoad;
  readonly overview: Pick<OverviewReader, "between">;
  readonly clock: Clock;
}

const MOST_DISPATCHES = 50;

export const loadRoute = (app: FastifyInstance, { portfolioLoad, overview, clock }: PortfolioLoadRoutePorts): void =>
  serve(app, operator.getPortfolioLoad, async ({ query }) => {
    const times = moments({ start: spaceAsPlus(query.start) });
    if (isRefusal(times)) return times;
    const now = clock.now();
    const start = times.start ?? new Date(now.getTime() - DAY_MS);
    if (start > now) return invalid("start is in the future; give a time of the last 25 hours");
    if (now.getTime() - start.getTime() > operator.LOAD_HOURS * HOUR_MS)
      return invalid(`start is more than ${operator.LOAD_HOURS} hours ago; give a later one`);
    const [points, dispatches] = await Promise.all([
      portfolioLoad.since(start),
      overview.between({ from: start, to: now }, MOST_DISPATCHES),
    ]);
    if (isRefusal(points)) return points;
    return {
      as_of: formatTimestamp(now),
      interval_seconds: operator.LOAD_INTERVAL_SECONDS,
      points: points.map(({ endMs, loadKw, meters }) => ({
        timestamp: formatTimestamp(endMs),
        load_kw: rounded(loadKw),
        meters,
      })),
      dispatches: dispatches.map((dispatch) => ({
        id: dispatch.id,
        program_name: dispatch.programName,
        test: dispatch.test,
        start_time: formatTimestamp(dispatch.start),
        end_time: momentToWire(dispatch.end),
      })),
    };
  });
