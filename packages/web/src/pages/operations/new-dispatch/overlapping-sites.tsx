import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { dayAndClock } from "../../../format/time.js";
import { Badge } from "../../../ui/badge.js";
import { Card } from "../../../ui/card.js";
import { ShowRest, useShownPart } from "../../../ui/shown-part.js";
import { Table } from "../../../ui/table.js";
import { TextLink } from "../../../ui/text-link.js";

type Site = operator.DispatchPreview["overlapping_sites"][number];
type Overlap = Site["overlaps"][number];

/** Sites that are already dispatched, with the dispatch and its end. */
export const OverlappingSites = ({
  sites,
  timeZone,
}: {
  readonly sites: readonly Site[];
  readonly timeZone: string;
}) => {
  const part = useShownPart(sites);
  return (
    <Card title={say("Sites already dispatched in this period")} flush>
      <Table<Site>
        label={say("Sites already dispatched")}
        rows={part.shown}
        keyOf={({ site_id }) => site_id}
        empty={say("None.")}
        columns={[
          { head: say("Site"), cell: ({ name }) => <span className="font-medium">{name}</span> },
          {
            head: say("Other dispatches"),
            cell: ({ overlaps }) => <Dispatches overlaps={overlaps} timeZone={timeZone} />,
          },
        ]}
      />
      <ShowRest of={part} />
    </Card>
  );
};

const Dispatches = ({ overlaps, timeZone }: { readonly overlaps: readonly Overlap[]; readonly timeZone: string }) => (
  <ul className="grid gap-1">
    {overlaps.map(({ dispatch_id, program, until, test }) => (
      <li key={dispatch_id}>
        {/* In a new tab, to keep the form. */}
        <TextLink to="/operations/dispatches/$id" params={{ id: dispatch_id }} target="_blank">
          {program}
        </TextLink>{" "}
        {test && <Badge tone="warn">{say("test")}</Badge>}{" "}
        <span className="text-muted">{untilWords(until, timeZone)}</span>
      </li>
    ))}
  </ul>
);

const untilWords = (until: string | null, timeZone: string): string =>
  until === null ? say("no end set yet") : say("until {time}", { time: dayAndClock(until, timeZone) });

/** `3 sites are already dispatched in this period, by Peak (until Fri 20 Nov, 15:00), Reserve (no end set yet).` */
export const overlapWords = (sites: readonly Site[], timeZone: string): string => {
  const dispatches = new Map(sites.flatMap(({ overlaps }) => overlaps).map((each) => [each.dispatch_id, each]));
  const named = [...dispatches.values()]
    .slice(0, MOST_NAMED)
    .map(({ program, until }) => `${program} (${untilWords(until, timeZone)})`);
  const more = dispatches.size - named.length;
  const rest = more === 0 ? [] : [say("{n, plural, one {# more dispatch} other {# more dispatches}}", { n: more })];
  return say("{n, plural, one {# site is} other {# sites are}} already dispatched in this period, by {dispatches}.", {
    n: sites.length,
    dispatches: [...named, ...rest].join(", "),
  });
};

const MOST_NAMED = 4;
