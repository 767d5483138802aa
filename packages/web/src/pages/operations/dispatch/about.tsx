import { say } from "@curtail/words/page";
import { power } from "../../../format/quantity.js";
import { exact } from "../../../format/time.js";
import { committedKw, detailFacts, periodOf } from "../../../rules/dispatch-state.js";
import { typeWords } from "../../../rules/program-draft.js";
import { Badge } from "../../../ui/badge.js";
import { Card, Facts, Stack } from "../../../ui/card.js";
import { Table } from "../../../ui/table.js";
import { actorWords } from "../audit/words.js";
import type { Dispatch } from "./dispatch.js";

/** Settings and history of a dispatch. */
export const About = ({ dispatch }: { readonly dispatch: Dispatch }) => {
  const { program, sites, start_time, end_time, creation_time, notification_time, void_reason, record, id, test } =
    dispatch;
  const zone = program.timezone;
  const kind = typeWords[program.program_type];
  return (
    <Stack>
      <Card title={say("Dispatch details")}>
        <Facts
          facts={[
            [say("Program"), `${program.name}${program.market === "" ? "" : `, ${program.market}`}`],
            [say("Kind"), test ? say("{kind}, a test", { kind }) : kind],
            [say("Start", {}, "noun"), exact(start_time, zone)],
            [say("End", {}, "noun"), end_time === null ? say("not set yet") : exact(end_time, zone)],
            [say("Issued"), exact(creation_time, zone)],
            [say("Notification time"), record ? say("none: recorded after its end") : exact(notification_time, zone)],
            [say("Sites"), say("{n, plural, one {# site} other {# sites}}", { n: sites.length })],
            [say("Commitment"), power(committedKw(dispatch))],
            ...(void_reason === null ? [] : ([[say("Reason for voiding"), void_reason]] as const)),
            ...detailFacts(dispatch),
            [say("Id"), <code key="id">{id}</code>],
          ]}
        />
      </Card>
      <Revisions dispatch={dispatch} />
    </Stack>
  );
};

type Revision = Dispatch["revisions"][number];

const Revisions = ({ dispatch: { revisions, program, void_reason } }: { readonly dispatch: Dispatch }) => (
  <Card title={say("History")} flush>
    <Table<Revision>
      label={say("Revisions, newest first")}
      rows={revisions.toReversed()}
      keyOf={({ modification_number }) => modification_number}
      empty={say("No revisions.")}
      columns={[
        {
          head: say("Revision"),
          cell: ({ modification_number, authorized }) => (
            <>
              {modification_number === 0
                ? say("made", {}, "revision of a dispatch")
                : say("change {n}", { n: modification_number })}{" "}
              {!authorized && (
                <Badge tone="bad">
                  {void_reason === null ? say("cancelled", {}, "dispatch") : say("voided", {}, "dispatch")}
                </Badge>
              )}
            </>
          ),
        },
        {
          head: say("Time"),
          cell: ({ at }) => <span className="whitespace-nowrap">{exact(at, program.timezone)}</span>,
        },
        {
          head: say("By", {}, "person"),
          cell: ({ actor, actor_name }) => (
            <span className="[overflow-wrap:anywhere]">{actorWords(actor, actor_name)}</span>
          ),
        },
        { head: say("Period"), cell: (revision) => periodOf(revision, program.timezone) },
      ]}
    />
  </Card>
);
