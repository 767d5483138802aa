import type { operator } from "@curtail/contract";
import { SILENT_MINUTES } from "@curtail/contract/constants";
import { say } from "@curtail/words/page";
import { useUser } from "../../api/session.js";
import { useOperator } from "../../api/use-call.js";
import { count, power } from "../../format/quantity.js";
import { boardRow, sumOf, worstFirst } from "../../rules/board.js";
import { mayWrite } from "../../rules/role.js";
import { ButtonLink } from "../../ui/button.js";
import { Keys } from "../../ui/keys.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Answered } from "../../ui/state.js";
import { useNow } from "../../ui/use-now.js";
import { useAlarmGroups } from "./alarms/use-alarm-groups.js";
import { AlarmGroups } from "./board/alarm-groups.js";
import { DispatchRows } from "./board/dispatch-rows.js";
import { FirstSteps } from "./board/first-steps.js";
import { Freshness } from "./board/freshness.js";
import { BoardHead } from "./board/head.js";
import { LoadToday } from "./board/load-today.js";
import { NextDispatches } from "./board/next-dispatches.js";
import { QuickStart } from "./board/quick-start.js";

const EVERY_MS = 10_000;
/** Groups of alarms for which there is room above the rows; all of them are on the page of alarms. */
const MOST_GROUPS = 3;

/** Today at a glance: alarms, the dispatches in progress, and what comes next. */
export const BoardPage = () => {
  const overview = useOperator("/overview", {}, { everyMs: EVERY_MS });
  // The alarms are above the dispatches, which would move when they come.
  const { isPending } = useAlarmGroups();
  return (
    <Answered of={isPending ? { ...overview, data: undefined } : overview}>
      {(data) => (
        <PageTimes timeZones={zonesOf(data)} whose={say("the programs", {}, "whose time zone")}>
          <Board overview={data} receivedAtMs={overview.dataUpdatedAt} />
        </PageTimes>
      )}
    </Answered>
  );
};

const zonesOf = ({ dispatches: { active, upcoming } }: operator.OperatorOverview): readonly string[] =>
  [...active, ...upcoming].map(({ timezone }) => timezone);

const Board = ({
  overview,
  receivedAtMs,
}: {
  readonly overview: operator.OperatorOverview;
  readonly receivedAtMs: number;
}) => {
  const now = useNow();
  const groups = useAlarmGroups().data?.items ?? null;
  const { active, upcoming } = overview.dispatches;
  const rows = worstFirst(active.map((dispatch) => boardRow(dispatch, now)));
  const sum = sumOf(rows);
  const isRunning = active.length > 0;
  return (
    <>
      <BoardHead
        rows={rows}
        sum={sum}
        next={upcoming[0]}
        actions={
          <>
            <div className="max-md:hidden">
              <NewDispatch isCalm={overview.alarms_open === 0} />
            </div>
            <Freshness receivedAtMs={receivedAtMs} />
          </>
        }
      />
      {!isRunning && <FirstSteps />}
      <AlarmGroups most={MOST_GROUPS} />
      {isRunning && <DispatchRows dispatches={active} sum={sum} groups={groups} />}
      <NextDispatches dispatches={upcoming} />
      <div className="mt-3 px-4 md:hidden">
        <NewDispatch isCalm={overview.alarms_open === 0} />
      </div>
      <Portfolio overview={overview} />
      <div className="mt-4 grid gap-4">
        {!isRunning && overview.meters > 0 && <LoadToday isReporting={overview.load_kw !== null} />}
        {mayWrite(useUser()) && <QuickStart />}
        {isRunning && <FirstSteps />}
      </div>
    </>
  );
};

/** The next thing to do, unless an alarm is. */
const NewDispatch = ({ isCalm }: { readonly isCalm: boolean }) =>
  mayWrite(useUser()) && (
    <ButtonLink to="/operations/dispatches/new" look={isCalm ? "primary" : "plain"}>
      {say("New dispatch")} <Keys keys="n" />
    </ButtonLink>
  );

/** The portfolio in a sentence. */
const Portfolio = ({ overview }: { readonly overview: operator.OperatorOverview }) => {
  const { sites, sites_streaming, sites_stale: stale, load_kw, accounts } = overview;
  if (sites === 0) return null;
  const values = { load: power(load_kw), sites, accounts, minutes: SILENT_MINUTES, stale };
  return (
    <p className="px-4 pt-2.5 text-sm text-muted">
      {sites_streaming === sites
        ? say(
            "Load now {load} of {sites, plural, one {# site} other {# sites}} of {accounts, plural, one {# account} other {# accounts}}, by readings of the last {minutes} minutes{stale, plural, =0 {} other {; # without}}.",
            values,
          )
        : say(
            "Load now {load} of {streaming} of {sites, plural, one {# site} other {# sites}} of {accounts, plural, one {# account} other {# accounts}}, by readings of the last {minutes} minutes{stale, plural, =0 {} other {; # without}}.",
            { ...values, streaming: count(sites_streaming) },
          )}
    </p>
  );
};
