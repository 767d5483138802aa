import type { DispatchPerformance } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { exact } from "../format/time.js";
import { whyNothing } from "../rules/judged.js";
import { Badge } from "../ui/badge.js";
import { DialogButton } from "../ui/dialog-button.js";
import { type DispatchPage, VersionLink } from "./version-link.js";
import { versionReasons } from "./version-reasons.js";

const states: Readonly<Record<DispatchPerformance["state"], string>> = {
  upcoming: say("Measurement begins at the start of the dispatch."),
  in_progress: say("Live results, updated within seconds of a reading. For operations, not for settlement."),
  ended: say("The dispatch is over. The result becomes final once the readings of the following hour are complete."),
  final: say(
    "This result is final. Corrected readings, or changes to earlier dispatches, create a new version, until it is approved.",
  ),
  cancelled: say("The dispatch was cancelled. The reduction until then is shown; performance is not evaluated."),
};

/** Whether results are live or final, with the versions of the final result, newest first. */
export const PerformanceVersions = ({
  performance,
  timeZone,
  page,
  difference,
}: {
  readonly performance: Pick<DispatchPerformance, "state" | "versions" | "version" | "start_time" | "measured_until">;
  readonly timeZone: string;
  readonly page: DispatchPage;
  /** Shows what differs between a version and the one before it. */
  readonly difference: (version: number) => ReactNode;
}) => {
  const { state, versions, version } = performance;
  return (
    <div className="grid gap-1.5 text-sm text-muted">
      <p>{whyNothing(performance) ?? states[state]}</p>
      {versions.length > 0 && (
        <ul className="grid gap-1" aria-label={say("Versions of the final result")}>
          {versions.toReversed().map((each) => (
            <li key={each.version} className="flex flex-wrap items-center gap-x-2">
              <VersionLink version={each.version} isStanding={each.standing === "standing"} page={page} />
              <span>
                {exact(each.at, timeZone)}: {versionReasons[each.reason]}
                {each.note !== null && ` (${each.note})`}
              </span>
              {each.version === version && <Badge tone="accent">{say("shown", {}, "version")}</Badge>}
              {each.standing === "beside" && <Badge>{say("came later and changes nothing")}</Badge>}
              {each.version > 1 && (
                <DialogButton
                  label={say("What changed")}
                  title={say("From version {from} to {to}", { from: each.version - 1, to: each.version })}
                  look="quiet"
                >
                  {() => difference(each.version)}
                </DialogButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
