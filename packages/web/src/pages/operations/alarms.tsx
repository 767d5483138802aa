import { getRouteApi } from "@tanstack/react-router";
import { useOperatorList } from "../../api/use-call.js";
import type { AlarmGroup } from "../../rules/alarm-group.js";
import { Card, PageHead } from "../../ui/card.js";
import { PageTimes } from "../../ui/page-zone.js";
import { Tabs } from "../../ui/tabs.js";
import { AlarmList } from "./alarms/alarm-list.js";
import { useAlarmGroups } from "./alarms/use-alarm-groups.js";
import { AlarmGroups } from "./board/alarm-groups.js";

const route = getRouteApi("/operations/alarms");

const states = {
  acknowledged: ["Acknowledged", "No acknowledged alarms."],
  shelved: ["Shelved", "No shelved alarms."],
  cleared: ["Cleared", "No cleared alarms."],
} as const;

type State = keyof typeof states;
const isState = (state: string): state is State => state in states;

const EVERY_MS = 30_000;

/** Alarms: those that are open in groups, of which one may show its alarms; acknowledged, shelved and cleared ones as lists. */
export const AlarmsPage = () => {
  const { state = "open" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PageTimes timeZones={useZones()} whose="the programs">
      <PageHead title="Alarms" lead="An acknowledged alarm stays listed until its cause is gone." />
      <Tabs
        chosen={isState(state) ? state : "open"}
        onChoose={(next) => void navigate({ search: { state: next }, replace: true })}
        tabs={[
          {
            id: "open",
            label: "Groups",
            content: () => <AlarmGroups isAll below={(group) => <Opened group={group} />} />,
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

/** The alarms of the group that the address names; of the only group, always. */
const Opened = ({ group }: { readonly group: AlarmGroup }) => {
  const { group: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const isOpen = chosen === group.id;
  return (
    <div className="px-3 pb-2 md:px-4">
      <button
        type="button"
        aria-expanded={isOpen}
        className="ml-[34px] min-h-6 text-[13px] font-medium text-accent hover:underline"
        onClick={() => void navigate({ search: isOpen ? {} : { group: group.id }, replace: isOpen })}
      >
        {isOpen ? "Hide its alarms" : "Show its alarms"}
      </button>
      {isOpen && <OfGroup id={group.id} />}
    </div>
  );
};

const OfGroup = ({ id }: { readonly id: string }) => (
  <div className="mt-1 rounded-lg bg-page">
    <AlarmList
      list={useOperatorList("/alarms", { query: { group: id } }, { everyMs: EVERY_MS })}
      empty="They have ended meanwhile."
    />
  </div>
);
