import type { Statement } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { changeWords } from "../rules/statement.js";
import { Badge } from "../ui/badge.js";
import { Exact } from "../ui/page-zone.js";
import { type StatementPage, VersionLink } from "./version-link.js";

const reasons = {
  made: say("made", {}, "version of a statement"),
  restated: say("results, terms or enrolments changed"),
  approved: say("approved by the operator"),
} as const;

/** The versions of a statement with what changed, newest first. */
export const StatementVersions = ({
  statement: { versions, version },
  page,
}: {
  readonly statement: Pick<Statement, "versions" | "version">;
  readonly page: StatementPage;
}) => (
  <ul className="grid gap-2 text-sm" aria-label={say("Versions of the statement")}>
    {versions.toReversed().map((each) => (
      <li key={each.version}>
        <div className="flex flex-wrap items-center gap-x-2">
          <VersionLink version={each.version} isStanding={each.standing === "standing"} page={page} />
          <span className="text-muted">
            <Exact at={each.at} />: {reasons[each.reason]}
            {each.note !== null && ` (${each.note})`}
          </span>
          {each.version === version && <Badge tone="accent">{say("shown")}</Badge>}
          {each.standing === "beside" && <Badge>{say("came later and changes nothing")}</Badge>}
        </div>
        <Changes
          title={say("{n, plural, one {# changed amount} other {# changed amounts}}", { n: each.change_count })}
          changes={each.changes}
        />
        <Changes
          title={say("{n, plural, one {# line} other {# lines}} with the same amount", { n: each.trace_count })}
          changes={each.traces}
        />
      </li>
    ))}
  </ul>
);

const Changes = ({
  title,
  changes,
}: {
  readonly title: string;
  readonly changes: Statement["versions"][number]["changes"];
}) =>
  changes.length > 0 && (
    <details className="ml-4">
      <summary className="cursor-pointer text-muted">{title}</summary>
      <ul className="grid gap-0.5">
        {changes.map((change) => (
          <li key={`${change.program_id} ${change.site_id} ${change.kind} ${change.dispatch_id} ${change.words}`}>
            {changeWords(change)}
          </li>
        ))}
      </ul>
    </details>
  );
