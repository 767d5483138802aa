import { getRouteApi } from "@tanstack/react-router";
import { useOperatorList } from "../../api/use-call.js";
import { Card, PageHead } from "../../ui/card.js";
import { Tabs } from "../../ui/tabs.js";
import { AlarmList } from "./alarms/alarm-list.js";

const route = getRouteApi("/operations/alarms");

const states = {
  open: ["Open", "No open alarms."],
  acknowledged: ["Acknowledged", "No acknowledged alarms."],
  cleared: ["Cleared", "No cleared alarms."],
} as const;

type State = keyof typeof states;
const isState = (state: string): state is State => state in states;

/** Alarms: open, acknowledged, and resolved. */
export const AlarmsPage = () => {
  const { state = "open" } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHead title="Alarms" lead="An acknowledged alarm stays listed until its cause is gone." />
      <Tabs
        chosen={isState(state) ? state : "open"}
        onChoose={(next) => void navigate({ search: { state: next }, replace: true })}
        tabs={Object.entries(states).map(([id, [label, empty]]) => ({
          id,
          label,
          content: () => <Alarms state={id as State} empty={empty} />,
        }))}
      />
    </>
  );
};

const Alarms = ({ state, empty }: { readonly state: State; readonly empty: string }) => (
  <Card flush>
    <AlarmList list={useOperatorList("/alarms", { query: { state } }, { everyMs: 30_000 })} empty={empty} />
  </Card>
);
