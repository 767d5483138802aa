import type { Dispatch } from "@curtail/contract";
import type { ReactNode } from "react";
import { awaited } from "../rules/dispatch-state.js";
import { Period } from "../ui/page-zone.js";
import { DispatchBadges } from "./dispatch-badges.js";

interface Cell {
  readonly dispatch: Dispatch;
  readonly now: Date;
}

/** A dispatch in a list: link and state. */
export const DispatchName = ({ dispatch, now, children }: Cell & { readonly children: ReactNode }) => (
  <>
    {children}
    <div className="mt-0.5">
      <DispatchBadges dispatch={dispatch} now={now} />
    </div>
  </>
);

/** The period in the page's time zone, with a countdown. */
export const DispatchWhen = ({ dispatch, now }: Cell) => (
  <>
    <span className="font-medium">
      <Period start={dispatch.start_time} end={dispatch.end_time} />
    </span>
    <div className="text-muted">{awaited(dispatch, now)}</div>
  </>
);
