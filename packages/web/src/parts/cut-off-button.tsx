import { say } from "@curtail/words/page";
import { type ReactNode, useState } from "react";
import { ApiError } from "../api/call.js";
import { useChange } from "../api/use-change.js";
import { Confirm } from "../ui/dialog.js";
import { ConfirmButton } from "../ui/dialog-button.js";

/** Whether the service asks for confirmation, since a dispatch in progress is concerned. */
export const asksOnceMore = (fault: Error | null): boolean =>
  fault instanceof ApiError && fault.message.includes("confirm_running");

/** A button that asks for confirmation, and once more if a dispatch in progress targets what it cuts off. */
export const CutOffButton = ({
  label,
  title,
  action = label,
  look = "plain",
  run,
  done,
  after,
  children,
}: {
  readonly label: string;
  readonly title: string;
  readonly action?: string;
  readonly look?: "plain" | "danger";
  readonly run: (isConfirmed: boolean) => Promise<unknown>;
  readonly done: string;
  readonly after?: () => void;
  readonly children: ReactNode;
}) => {
  const [isAskingAgain, setAskingAgain] = useState(false);
  const change = useChange(run, {
    done,
    after: () => after?.(),
    takes: (fault) => {
      const asks = asksOnceMore(fault);
      if (asks) setAskingAgain(true);
      return asks;
    },
  });
  const confirm = () => {
    setAskingAgain(false);
    change.run(true);
  };
  return (
    <>
      <ConfirmButton
        label={label}
        title={title}
        action={action}
        look={look}
        run={() => change.run(false)}
        busy={change.isPending}
      >
        {children}
      </ConfirmButton>
      <Confirm
        title={say("A dispatch is in progress")}
        open={isAskingAgain}
        onClose={() => setAskingAgain(false)}
        onConfirm={confirm}
        action={say("{action} anyway", { action })}
        busy={change.isPending}
      >
        {say("The dispatch does not change. Until it ends, operators see an alarm about this.")}
      </Confirm>
    </>
  );
};
