import type { Dispatch } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { useUser } from "../../api/session.js";
import { useConsole } from "../../api/use-call.js";
import { count, power } from "../../format/quantity.js";
import { DispatchName, DispatchWhen } from "../../parts/dispatch-cells.js";
import { committedKw, stateOf } from "../../rules/dispatch-state.js";
import { mayWrite } from "../../rules/role.js";
import { Card, PageHead, Stack } from "../../ui/card.js";
import { Answered } from "../../ui/state.js";
import { type Column, Table } from "../../ui/table.js";
import { TextLink } from "../../ui/text-link.js";
import { useNow } from "../../ui/use-now.js";
import { PastDispatches } from "./dispatches/past-dispatches.js";
import { TestDispatch } from "./dispatches/test-dispatch.js";
import { OwnSitesTimes } from "./own-sites-times.js";

/** The account's current, upcoming and past dispatches. */
export const DispatchesPage = () => {
  const dispatches = useConsole("/dispatches", {}, { everyMs: 30_000 });
  return (
    <OwnSitesTimes>
      <PageHead
        title={say("Dispatches")}
        lead={say("Current, upcoming and past dispatches, with results and statements.")}
        actions={mayWrite(useUser()) && <TestDispatch />}
      />
      <Answered of={dispatches}>{({ dispatches: all }) => <Groups dispatches={all} />}</Answered>
    </OwnSitesTimes>
  );
};

const Groups = ({ dispatches }: { readonly dispatches: readonly Dispatch[] }) => {
  const now = useNow();
  const of = (...states: readonly string[]) => dispatches.filter((each) => states.includes(stateOf(each, now)));
  return (
    <Stack>
      <Group
        title={say("In progress")}
        dispatches={of("in_progress")}
        now={now}
        empty={say("No dispatches in progress.")}
      />
      <Group
        title={say("Upcoming")}
        dispatches={of("upcoming").toReversed()}
        now={now}
        empty={say(
          "No upcoming dispatches. You will be notified by webhook, OpenADR or email; this page updates automatically.",
        )}
      />
      <PastDispatches />
    </Stack>
  );
};

const Group = ({
  title,
  dispatches,
  now,
  empty,
}: {
  readonly title: string;
  readonly dispatches: readonly Dispatch[];
  readonly now: Date;
  readonly empty: string;
}) => (
  <Card title={title} flush>
    <Table<Dispatch> label={title} rows={dispatches} keyOf={({ id }) => id} empty={empty} columns={columnsAt(now)} />
  </Card>
);

const columnsAt = (now: Date): Column<Dispatch>[] => [
  {
    head: say("Program"),
    cell: (dispatch) => (
      <DispatchName dispatch={dispatch} now={now}>
        <TextLink to="/dashboard/dispatches/$id" params={{ id: dispatch.id }}>
          {dispatch.program.name}
        </TextLink>
      </DispatchName>
    ),
  },
  { head: say("When"), cell: (dispatch) => <DispatchWhen dispatch={dispatch} now={now} /> },
  { head: say("Sites"), number: true, wide: true, cell: ({ sites }) => count(sites.length) },
  { head: say("Commitment"), number: true, cell: (dispatch) => power(committedKw(dispatch)) },
];
