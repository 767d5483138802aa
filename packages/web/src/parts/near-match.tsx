import { say } from "@curtail/words/page";
import { ApiError } from "../api/call.js";
import { Confirm } from "../ui/dialog.js";

/** Whether the service asks for confirmation, since something of almost the same name is there. */
export const asksForNear = (fault: Error | null): fault is ApiError =>
  fault instanceof ApiError && fault.message.includes("confirm_near_match");

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
  readonly noun: "account" | "site" | "meter";
  /** It is there, and gets another name. */
  readonly isChange?: boolean;
  /** Of the attempt to create it. */
  readonly fault: Error | null;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly busy: boolean;
}) => (
  <Confirm
    title={isChange ? `Change this ${noun}?` : `Create another ${noun}?`}
    open={asksForNear(fault)}
    onClose={onClose}
    onConfirm={onConfirm}
    action={isChange ? say("Change anyway") : say("Create anyway")}
    busy={busy}
  >
    {fault !== null && `There is already “${OTHER.exec(fault.message)?.[1] ?? ""}”, which is almost the same.`}
  </Confirm>
);
