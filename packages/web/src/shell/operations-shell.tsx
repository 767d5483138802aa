import { OPERATOR } from "../api/call.js";
import { useUser } from "../api/session.js";
import { useOperatorList } from "../api/use-call.js";
import { HoldBanner } from "../pages/operations/alarms/hold-banner.js";
import { DemoBanner } from "../pages/operations/demo/demo-banner.js";
import { mayWrite } from "../rules/role.js";
import { useWaitingInTitle } from "../ui/use-title.js";
import { operatorNavigation } from "./navigation.js";
import { Shell } from "./shell.js";

const MOST_COUNTED = 20;

/** How many alarms nobody has acknowledged, in the navigation and the title of the tab: `2`, `20+`; null for none. */
const useOpenAlarms = (): string | null => {
  const { items, more } = useOperatorList("/alarms", { query: { state: "open", limit: MOST_COUNTED } });
  const count = items.length === 0 ? null : `${items.length}${more === null ? "" : "+"}`;
  useWaitingInTitle(count);
  return count;
};

export const OperationsShell = () => {
  const user = useUser();
  const writes = mayWrite(user);
  const groups = operatorNavigation(writes, useOpenAlarms());
  const banner = (
    <>
      <HoldBanner />
      <DemoBanner />
    </>
  );
  return <Shell base={OPERATOR} side="/operations" user={user} groups={groups} writes={writes} banner={banner} />;
};
