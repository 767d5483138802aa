import { OPERATOR } from "../api/call.js";
import { useUser } from "../api/session.js";
import { count } from "../format/quantity.js";
import { HoldBanner } from "../pages/operations/alarms/hold-banner.js";
import { useAlarmGroups } from "../pages/operations/alarms/use-alarm-groups.js";
import { DemoBanner } from "../pages/operations/demo/demo-banner.js";
import { mayWrite } from "../rules/role.js";
import { useAlarmSound } from "../ui/use-alarm-sound.js";
import { useWaitingInTitle } from "../ui/use-title.js";
import { operatorNavigation } from "./navigation.js";
import { Shell } from "./shell.js";

/** How many alarms nobody has acknowledged, in the navigation and the title of the tab; null for none. */
const useOpenAlarms = (): string | null => {
  const open = useAlarmGroups().data?.open ?? 0;
  const shown = open === 0 ? null : count(open);
  useWaitingInTitle(shown);
  useAlarmSound(open > 0);
  return shown;
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
