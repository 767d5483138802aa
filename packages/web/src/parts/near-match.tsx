import { say } from "@curtail/words/page";
import { ApiError } from "../api/call.js";
import { Confirm } from "../ui/dialog.js";

/** Whether the service asks for confirmation, since something of almost the same name is there. */
export const asksForNear = (fault: Error | null): fault is ApiError =>
  fault instanceof ApiError && fault.message.includes("confirm_near_match");

const titles = {
  account: { change: say("Change this account?"), create: say("Create another account?") },
  site: { change: say("Change this site?"), create: say("Create another site?") },
  meter: { change: say("Change this meter?"), create: say("Create another meter?") },
} as const;

const OTHER = /almost the same, "(.*)" for "/;

/** Asks before something gets a name or identifier that only looks different from another one's. */
export const NearMatchQuestion = ({
  noun,
  isChange = false,
  fault,
  onClose,
  onConfirm,
  busy,
}: {
  readonly noun: keyof typeof titles;
  /** It is there, and gets another name. */
  readonly isChange?: boolean;
  /** Of the attempt to create it. */
  readonly fault: Error | null;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly busy: boolean;
}) => (
  <Confirm
    title={isChange ? titles[noun].change : titles[noun].create}
    open={asksForNear(fault)}
    onClose={onClose}
    onConfirm={onConfirm}
    action={isChange ? say("Change anyway") : say("Create anyway")}
    busy={busy}
  >
    {fault !== null &&
      say("There is already “{name}”, which is almost the same.", { name: OTHER.exec(fault.message)?.[1] ?? "" })}
  </Confirm>
);
