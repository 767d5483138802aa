import type { operator } from "@curtail/contract";
import { SILENT_MINUTES } from "@curtail/contract/constants";
import { useUser } from "../../api/session.js";
import { useOperator, useOperatorList } from "../../api/use-call.js";
import { DATE_LOCALE, HOUR } from "../../format/locale.js";
import { count, counted, ofPart, power } from "../../format/quantity.js";
import { mayWrite } from "../../rules/role.js";
import { ButtonLink } from "../../ui/button.js";
import { Card, Figure, Figures, PageHead, Stack } from "../../ui/card.js";
import { Answered } from "../../ui/state.js";
import { useNow } from "../../ui/use-now.js";
import { AlarmList } from "./alarms/alarm-list.js";
import { ActiveDispatches } from "./board/active-dispatches.js";
import { FirstSteps } from "./board/first-steps.js";
import { LoadToday } from "./board/load-today.js";
import { QuickStart } from "./board/quick-start.js";
import { UpcomingDispatches } from "./board/upcoming-dispatches.js";

const EVERY_MS = 10_000;

/** Today at a glance: current and upcoming dispatches, and alarms. */
export const BoardPage = () => {
  const writes = mayWrite(useUser());
  return (
    <>
      <PageHead
        title="Board"
        lead={<Today />}
        actions={
          writes && (
            <ButtonLink to="/operations/dispatches/new" look="primary">
              New dispatch
            </ButtonLink>
          )
        }
      />
      <Stack>
        <FirstSteps />
        <Answered of={useOperator("/overview", {}, { everyMs: EVERY_MS })}>
          {(overview) => (
            <Stack>
              <ActiveDispatches dispatches={overview.dispatches.active} />
              <Portfolio overview={overview} />
              {overview.meters > 0 && <LoadToday isReporting={overview.load_kw !== null} />}
              <div className="grid items-start gap-4 xl:grid-cols-2">
                <Alarms />
                <Stack>
                  <UpcomingDispatches dispatches={overview.dispatches.upcoming} />
                  {writes && <QuickStart />}
                </Stack>
              </div>
            </Stack>
          )}
        </Answered>
      </Stack>
    </>
  );
};

const READINGS_OF = `by readings of the last ${SILENT_MINUTES} minutes`;

const today = new Intl.DateTimeFormat(DATE_LOCALE, {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: HOUR,
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});

const Today = () => <>{today.format(useNow())}</>;

const Portfolio = ({ overview }: { readonly overview: operator.OperatorOverview }) => {
  const { sites, sites_streaming, sites_stale, load_kw, alarms_open, accounts } = overview;
  return (
    <Figures>
      <Figure
        label="Load now"
        value={power(load_kw)}
        hint={`${ofPart(sites_streaming, sites, "site")}, ${READINGS_OF}`}
      />
      <Figure
        label="Sites streaming"
        value={`${count(sites_streaming)} of ${count(sites)}`}
        hint={`of ${counted(accounts, "account")}`}
      />
      <Figure
        label="Sites stale"
        value={count(sites_stale)}
        tone={sites_stale > 0 ? "warn" : "ink"}
        hint={`no reading for ${SILENT_MINUTES} minutes`}
      />
      <Figure
        label="Open alarms"
        value={count(alarms_open)}
        tone={alarms_open > 0 ? "bad" : "good"}
        hint={alarms_open > 0 ? "not acknowledged yet" : "nothing needs attention"}
      />
    </Figures>
  );
};

const Alarms = () => {
  const list = useOperatorList("/alarms", { query: { state: "open", limit: 20 } }, { everyMs: EVERY_MS });
  return (
    <Card title="Open alarms" flush actions={<ButtonLink to="/operations/alarms">All alarms</ButtonLink>}>
      <AlarmList list={list} empty="No open alarms." />
    </Card>
  );
};
