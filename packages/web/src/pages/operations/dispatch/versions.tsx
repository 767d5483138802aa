import { Link } from "@tanstack/react-router";
import { exact } from "../../../format/time.js";
import type { OperatorPerformance } from "../../../live/use-performance.js";
import { Badge } from "../../../ui/badge.js";

const states: Readonly<Record<OperatorPerformance["state"], string>> = {
  upcoming: "Measuring begins with the start.",
  in_progress: "As of now; a reading shows within seconds. Made for operating, not for settling.",
  ended: "The dispatch is over. The result becomes final once the hour after it is complete.",
  final: "This result is final. Readings that come late, or are corrected, make a new version.",
  cancelled: "The dispatch was cancelled before it started: there is nothing to measure.",
};

const reasons = {
  complete: "everything was in",
  overdue: "something was waited for and did not come",
  corrected: "readings came late or were corrected",
} as const;

/** What the numbers are worth, and every final result there was. */
export const Versions = ({
  performance: { state, versions, version },
  timeZone,
}: {
  readonly performance: OperatorPerformance;
  readonly timeZone: string;
}) => (
  <div className="grid gap-2">
    <p className="text-muted">{states[state]}</p>
    {versions.length > 0 && (
      <ul className="grid gap-1" aria-label="Versions of the final result">
        {versions.toReversed().map((each, index) => (
          <li key={each.version} className="flex flex-wrap items-center gap-x-3">
            <VersionLink version={each.version} isNewest={index === 0} />
            <span>
              {exact(each.at, timeZone)}: {reasons[each.reason]}
            </span>
            {each.version === version && <Badge tone="accent">shown</Badge>}
          </li>
        ))}
      </ul>
    )}
  </div>
);

/** The newest has no number in its address: that page stays live. */
const VersionLink = ({ version, isNewest }: { readonly version: number; readonly isNewest: boolean }) => (
  <Link
    from="/operations/dispatches/$id"
    to="."
    search={({ version: _version, ...rest }) => (isNewest ? rest : { ...rest, version })}
    className="font-medium text-accent hover:underline"
  >
    Version {version}
  </Link>
);
