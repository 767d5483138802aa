import type { participantConsole } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useConsole } from "../../../api/use-call.js";
import { power } from "../../../format/quantity.js";
import { clock } from "../../../format/time.js";
import { GapCurve } from "../../../parts/gap-curve.js";
import { accountSpark } from "../../../rules/account-spark.js";
import { deliveringOf } from "../../../rules/headline.js";
import { sparkOf } from "../../../rules/spark.js";
import { usePageZone } from "../../../ui/page-zone.js";

const EVERY_MS = 30_000;

/** What all sites of the account deliver against what is asked, from the start to the end. */
export const OwnCurve = ({
  dispatch,
  now,
}: {
  readonly dispatch: participantConsole.AccountDispatch;
  readonly now: Date;
}) => {
  const timeZone = usePageZone();
  const asked = useConsole(
    "/dispatches/{id}/performance/curve",
    { params: { id: dispatch.id }, query: {} },
    { everyMs: EVERY_MS },
  );
  const source = asked.data === undefined ? null : accountSpark(dispatch, asked.data);
  // Its place is kept while it loads; without a commitment there is nothing to compare with.
  const { committedKw, deliveredKw } = deliveringOf(dispatch);
  if (committedKw === null) return null;
  return (
    <figure className="mt-3">
      <div className="h-28 sm:h-36">
        {source !== null && (
          <GapCurve
            of={sparkOf(source, now)}
            urgency={deliveredKw !== null && deliveredKw < committedKw ? "warn" : "none"}
            label={say("Delivered against {committed} since the start; the empty part is the time left", {
              committed: power(committedKw),
            })}
            isLarge
          />
        )}
      </div>
      <figcaption className="mt-1 flex justify-between text-xs text-muted">
        <span>{clock(dispatch.start_time, timeZone)}</span>
        {dispatch.end_time === null ? (
          <span>{say("no end set")}</span>
        ) : (
          <span>{clock(dispatch.end_time, timeZone)}</span>
        )}
      </figcaption>
    </figure>
  );
};
