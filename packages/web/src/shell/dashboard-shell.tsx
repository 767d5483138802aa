import { CONSOLE } from "../api/call.js";
import { useUser } from "../api/session.js";
import { useConsole } from "../api/use-call.js";
import { DemoNotice } from "../parts/demo-notice.js";
import { askDemoEveryMs, demoWords } from "../rules/demo.js";
import { mayWrite } from "../rules/role.js";
import { atHand, participantNavigation, youAtHand } from "./navigation.js";
import { Shell } from "./shell.js";

const ParticipantDemo = () => {
  const { data } = useConsole("/demo", {}, { everyMs: askDemoEveryMs });
  const words = data === undefined ? null : demoWords(data);
  return words !== null && <DemoNotice words={words} />;
};

export const DashboardShell = () => {
  const user = useUser();
  const writes = mayWrite(user);
  const groups = participantNavigation(writes);
  return (
    <Shell
      base={CONSOLE}
      side="/dashboard"
      user={user}
      groups={groups}
      tabs={[...atHand(groups), youAtHand()]}
      writes={writes}
      banner={<ParticipantDemo />}
    />
  );
};
