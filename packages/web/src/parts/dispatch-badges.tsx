import type { Dispatch } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { type DispatchState, stateOf } from "../rules/dispatch-state.js";
import { Badge } from "../ui/badge.js";

/** A dispatch, with the void state, which only operators see. */
type Shown = Dispatch & { readonly void_reason?: string | null };

const badges = {
  in_progress: ["accent", say("in progress", {}, "dispatch")],
  upcoming: ["info", say("upcoming", {}, "dispatch")],
  over: ["neutral", say("over", {}, "dispatch")],
  cancelled: ["bad", say("cancelled", {}, "dispatch")],
} as const satisfies Record<DispatchState, unknown>;

export const DispatchBadges = ({ dispatch, now }: { readonly dispatch: Shown; readonly now: Date }) => {
  const isVoid = typeof dispatch.void_reason === "string";
  const [tone, text] = isVoid ? (["bad", say("void", {}, "dispatch")] as const) : badges[stateOf(dispatch, now)];
  return (
    <span className="inline-flex flex-wrap gap-1.5 align-middle">
      <Badge tone={tone}>{text}</Badge>
      {dispatch.test && <Badge tone="warn">{say("test", {}, "dispatch")}</Badge>}
    </span>
  );
};
