import type { DispatchPerformance } from "@curtail/contract";
import { Link } from "@tanstack/react-router";
import { exact } from "../../format/time.js";
import { Badge } from "../../ui/badge.js";

const states: Readonly<Record<DispatchPerformance["state"], string>> = {
  upcoming: "Measuring begins with the start.",
  in_progress: "Numbers as of now; a reading shows within seconds.",
  ended: "The dispatch is over. The result is final once the hour after it is complete.",
  final: "This result is final. Readings that come late, or are corrected, make a new version.",
  cancelled: "",
};

const reasons = {
  complete: "everything was in",
  overdue: "something was waited for and did not come",
  corrected: "readings came late or were corrected",
} as const;

/** What the numbers are worth: of now, final, and which final results there were. */
export const DispatchVersions = ({
  performance: { state, versions, version },
  timeZone,
}: {
  readonly performance: DispatchPerformance;
  readonly timeZone: string;
}) => (
  <div className="grid gap-1.5 text-sm text-muted">
    <p>{states[state]}</p>
    {versions.length > 0 && (
      <ul className="grid gap-1" aria-label="Versions of the final result">
        {versions.map((each) => (
          <li key={each.version} className="flex flex-wrap items-center gap-x-2">
            <VersionLink version={each.version} newest={versions.at(-1)?.version === each.version} />
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

/** The newest has no number in its address: that one stays live. */
const VersionLink = ({ version, newest }: { readonly version: number; readonly newest: boolean }) => (
  <Link
    from="/dashboard/dispatches/$id"
    to="."
    search={({ version: _version, ...rest }) => (newest ? rest : { ...rest, version })}
    className="font-medium text-accent hover:underline"
  >
    Version {version}
  </Link>
);
