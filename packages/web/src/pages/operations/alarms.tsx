import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useOperatorList } from "../../api/use-call.js";
import { Card, PageHead } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Tabs } from "../../ui/tabs.js";
import { AlarmList } from "./alarms/alarm-list.js";
import { useAlarmGroups } from "./alarms/use-alarm-groups.js";
import { AlarmGroups } from "./board/alarm-groups.js";

const route = getRouteApi("/operations/alarms");

const states = {
  acknowledged: [say("Acknowledged", {}, "alarms"), say("No acknowledged alarms.")],
  shelved: [say("Shelved", {}, "alarms"), say("No shelved alarms.")],
  cleared: [say("Cleared", {}, "alarms"), say("No cleared alarms.")],
} as const;

type State = keyof typeof states;
const isState = (state: string): state is State => state in states;

const EVERY_MS = 30_000;

/** Alarms: those that are open in groups, of which one may show its alarms; acknowledged, shelved and cleared ones as lists. */
export const AlarmsPage = () => {
  const { state = "open", group } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PageTimes timeZones={useZones()} whose={say("the programs", {}, "whose time zone")}>
      <PageHead title={say("Alarms")} lead={say("An acknowledged alarm stays listed until its cause is gone.")} />
      <Tabs
        chosen={isState(state) ? state : "open"}
        onChoose={(next) => void navigate({ search: { state: next } })}
        tabs={[
          {
            id: "open",
            label: say("Groups"),
            content: () => <AlarmGroups isAll opened={group} below={({ id }) => <OfGroup id={id} />} />,
          },
          ...Object.entries(states).map(([id, [label, empty]]) => ({
            id,
            label,
            content: () => <Alarms state={id as State} empty={empty} />,
          })),
        ]}
      />
    </PageTimes>
  );
};

const useZones = (): readonly string[] =>
  (useAlarmGroups().data?.items ?? []).flatMap(({ dispatch }) => dispatch?.timezone ?? []);

const Alarms = ({ state, empty }: { readonly state: State; readonly empty: string }) => (
  <Card flush>
    <AlarmList list={useOperatorList("/alarms", { query: { state } }, { everyMs: EVERY_MS })} empty={empty} />
  </Card>
);

/** The alarms of the group that the address names. */
const OfGroup = ({ id }: { readonly id: string }) => (
  <div className="mx-3 mb-3 rounded-lg bg-page md:mx-4">
    <AlarmList
      list={useOperatorList("/alarms", { query: { group: id } }, { everyMs: EVERY_MS })}
      empty={say("They have ended meanwhile.")}
    />
  </div>
);
