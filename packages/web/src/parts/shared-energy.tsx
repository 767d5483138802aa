import type { SharedDispatches } from "@curtail/contract";
import { say } from "@curtail/words/page";
import type { ReactNode } from "react";
import { exact } from "../format/time.js";
import { Card } from "../ui/card.js";
import { sayParts } from "../ui/say-parts.js";

type Sharing = SharedDispatches["items"][number];

/** Which other dispatches claim the energy of one; nothing without any. */
export const SharedEnergyCard = ({
  shared,
  timeZone,
  link,
}: {
  readonly shared: SharedDispatches | undefined;
  readonly timeZone: string;
  readonly link: (id: string, words: string) => ReactNode;
}) => {
  if (shared === undefined || shared.item_count === 0) return null;
  return (
    <div className="mb-4">
      <Card title={say("Energy that is paid once")}>
        <ul className="list-disc pl-5 text-sm">
          {shared.items.map((each) => (
            <li key={`${each.dispatch_id} ${each.paid}`}>
              {sharedWords(each, timeZone, link(each.dispatch_id, each.program_name))}
            </li>
          ))}
        </ul>
        {shared.item_count > shared.items.length && (
          <p className="mt-2 text-sm text-muted">
            {say("{n, plural, one {# dispatch} other {# dispatches}} in all.", { n: shared.item_count })}
          </p>
        )}
      </Card>
    </div>
  );
};

const sharedWords = (
  { intervals, sites, start_time, end_time, paid }: Sharing,
  timeZone: string,
  program: ReactNode,
): ReactNode => {
  const values = { period: periodWords(start_time, end_time, timeZone), sites, intervals: intervals ?? 0, program };
  if (intervals === null)
    return paid === "there"
      ? sayParts(
          "Intervals of {sites, plural, one {# site} other {# sites}} {period} are paid in {program}, which comes first.",
          values,
        )
      : sayParts(
          "Intervals of {sites, plural, one {# site} other {# sites}} {period} that are claimed by {program}, too, are paid here.",
          values,
        );
  return paid === "there"
    ? sayParts(
        "{intervals, plural, one {# interval} other {# intervals}} of {sites, plural, one {# site} other {# sites}} {period} are paid in {program}, which comes first.",
        values,
      )
    : sayParts(
        "{intervals, plural, one {# interval} other {# intervals}} of {sites, plural, one {# site} other {# sites}} {period} that are claimed by {program}, too, are paid here.",
        values,
      );
};

const periodWords = (start: string, end: string | null, timeZone: string): string =>
  end === null
    ? say("from {start}", { start: exact(start, timeZone) }, "a time")
    : say("from {start} to {end}", { start: exact(start, timeZone), end: exact(end, timeZone) }, "a time");
