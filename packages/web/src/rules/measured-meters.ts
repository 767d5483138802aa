import type { operator, SitePerformanceDetail } from "@curtail/contract";
import { say } from "@curtail/words/page";

type Site = Pick<operator.OperatorSite, "meters" | "measured_meters">;

/** Ids of the meters whose sum is the load of a site in its next dispatch. */
export const measuredMeters = ({ meters, measured_meters: named }: Site): readonly string[] => {
  if (named !== null) return named;
  const points = meters.filter(({ asset_type }) => asset_type === "poi");
  return (points.length > 0 ? points : meters).map(({ id }) => id);
};

type LeftOut = NonNullable<SitePerformanceDetail["meters"]>["left_out"][number];

/** Why a meter was not part of the load of a dispatched site. */
export const leftOutWords: Readonly<Record<LeftOut["reason"], string>> = {
  not_named: say("the operator has chosen other meters"),
  behind_poi: say("the point of interconnection measures it, too"),
  silent: say("no reading in the seven days before the dispatch"),
  younger_than_look_back: say("its readings begin after the days that the baseline uses"),
};
