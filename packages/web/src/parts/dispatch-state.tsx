import type { Dispatch } from "@curtail/contract";
import { countdown, period } from "../format/time.js";
import { Badge } from "../ui/badge.js";

/** A dispatch, with what only operators are told of one that is void. */
type Shown = Dispatch & { readonly void_reason?: string | null };

type State = "in_progress" | "upcoming" | "over" | "cancelled";

/** What a dispatch is at a moment; one that was cancelled stays so. */
export const stateOf = ({ authorized, start_time, end_time }: Dispatch, now: Date): State => {
  if (!authorized) return "cancelled";
  if (Date.parse(start_time) > now.getTime()) return "upcoming";
  return end_time !== null && Date.parse(end_time) <= now.getTime() ? "over" : "in_progress";
};

const badges = {
  in_progress: ["accent", "in progress"],
  upcoming: ["info", "upcoming"],
  over: ["neutral", "over"],
  cancelled: ["bad", "cancelled"],
} as const;

export const DispatchBadges = ({ dispatch, now }: { readonly dispatch: Shown; readonly now: Date }) => {
  const isVoid = typeof dispatch.void_reason === "string";
  const [tone, text] = isVoid ? (["bad", "void"] as const) : badges[stateOf(dispatch, now)];
  return (
    <span className="inline-flex flex-wrap gap-1.5 align-middle">
      <Badge tone={tone}>{text}</Badge>
      {dispatch.test && <Badge tone="warn">test</Badge>}
    </span>
  );
};

/** `starts in 0:04:59`, `ends in 1:10:00`; null where nothing is awaited. */
export const awaited = (dispatch: Dispatch, now: Date): string | null => {
  switch (stateOf(dispatch, now)) {
    case "upcoming":
      return `starts in ${countdown(dispatch.start_time, now)}`;
    case "in_progress":
      return dispatch.end_time === null ? "no end set yet" : `ends in ${countdown(dispatch.end_time, now)}`;
    case "over":
    case "cancelled":
      return null;
  }
};

/** From when to when, on the program's clocks. */
export const periodOf = (
  { start_time, end_time }: Pick<Dispatch, "start_time" | "end_time">,
  timeZone: string,
): string => period(start_time, end_time, timeZone);

/** Sum of what the sites promised; null where no site did. */
export const committedKw = ({ sites }: Dispatch): number | null => {
  const known = sites.flatMap(({ commitment }) => (commitment === null ? [] : [commitment]));
  return known.length === 0 ? null : known.reduce((sum, kw) => sum + kw, 0);
};
