import type { Dispatch } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { clock } from "../format/time.js";
import { awaited } from "../rules/dispatch-state.js";
import { PageHead } from "../ui/card.js";
import { Period, usePageZone, ZoneChoice } from "../ui/page-zone.js";
import { useNow } from "../ui/use-now.js";
import { DispatchBadges } from "./dispatch-badges.js";

/** The head of a dispatch's page: name, period and countdown; `children` are the actions. */
export const DispatchHead = ({
  dispatch,
  children,
}: {
  readonly dispatch: Dispatch;
  readonly children?: ReactNode;
}) => {
  const now = useNow();
  const waiting = awaited(dispatch, now);
  const { name } = dispatch.program;
  return (
    <PageHead
      title={name}
      tab={say("Dispatch {name} {time}", { name, time: clock(dispatch.start_time, usePageZone()) })}
      lead={
        <>
          <span className="mr-2">
            <DispatchBadges dispatch={dispatch} now={now} />
          </span>
          <Period start={dispatch.start_time} end={dispatch.end_time} /> <ZoneChoice />
        </>
      }
      actions={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {waiting !== null && <span className="text-lg font-semibold wall:text-3xl">{waiting}</span>}
          {children}
        </div>
      }
    />
  );
};
