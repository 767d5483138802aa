import { operator, type QueryOf } from "@curtail/contract";
import type { FastifyInstance } from "fastify";
import { serve } from "../../platform/http/endpoint.js";
import { mapResult } from "../../platform/refusal.js";
import { rounded } from "../../platform/rounded.js";
import { type Visible, visibleToOperators } from "../../portfolio/operations/visible-sites.js";
import type { MethodTrial } from "../operations/report/method-trials.js";
import type { SiteTrials, TrialQuestion, TryMethods } from "../operations/report/try-method.js";

/** The accuracy of baseline methods at a site. */
export const accuracyRoute = (app: FastifyInstance, { tryMethods }: { readonly tryMethods: TryMethods }): void =>
  serve(app, operator.getBaselineAccuracy, ({ params, query }) =>
    mapResult(tryMethods(questionOf(params.id, query)), (trials) => trialsToWire(visibleToOperators(trials))),
  );

const DEFAULT_DAYS = 10;

const questionOf = (siteId: string, query: QueryOf<typeof operator.getBaselineAccuracy>): TrialQuestion => ({
  siteId,
  programId: query.program_id,
  startMinute: minuteOf(query.start),
  minutes: query.minutes,
  days: query.days ?? DEFAULT_DAYS,
  dayType: query.day_type ?? "weekday",
  leadMinutes: query.lead_minutes ?? 0,
  intervalSeconds: query.interval_seconds ?? null,
  presets: query.preset ?? [],
});

/** Minutes since midnight of HH:MM. */
const minuteOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
};

const trialsToWire = (trials: Visible<SiteTrials>): operator.BaselineAccuracy => ({
  site_id: trials.siteId,
  program_id: trials.programId,
  timezone: trials.timezone,
  methods: trials.methods.map(methodToWire),
});

const methodToWire = ({ preset, intervalSeconds, accuracy, daysTried, leftOut }: MethodTrial) => ({
  preset,
  interval_seconds: intervalSeconds,
  days_tried: [...daysTried],
  left_out: leftOut.map(({ date, reason }) => ({ date, reason })),
  intervals: accuracy.intervals,
  mean_actual_kw: rounded(accuracy.meanActualKw),
  bias_kw: rounded(accuracy.biasKw),
  relative_bias: rounded(accuracy.relativeBias),
  rmse_kw: rounded(accuracy.rmseKw),
  relative_rmse: rounded(accuracy.relativeRmse),
});
