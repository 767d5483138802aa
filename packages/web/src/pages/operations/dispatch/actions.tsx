import type { BodyOf, operator } from "@curtail/contract";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useChange } from "../../../api/use-change.js";
import { counted } from "../../../format/quantity.js";
import { Button } from "../../../ui/button.js";
import { Confirm } from "../../../ui/dialog.js";
import { stateOf } from "../../dashboard/dispatch-state.js";
import type { Dispatch } from "../dispatch.js";
import { ChangeTimes } from "./change-times.js";

type Asking = "change" | "end" | "cancel" | null;
type Change = BodyOf<typeof operator.changeDispatch>;

/** Changing, ending and cancelling a dispatch, as long as it is not over. */
export const DispatchActions = ({ dispatch, now }: { readonly dispatch: Dispatch; readonly now: Date }) => {
  const [asking, setAsking] = useState<Asking>(null);
  const close = () => setAsking(null);
  const change = useChange(
    (body: Change) => callOperator("PATCH", "/dispatches/{id}", { params: { id: dispatch.id }, body }),
    {
      done: ({ authorized }) =>
        authorized ? "The dispatch is changed, and its participants are told." : "The dispatch is cancelled.",
      after: close,
    },
  );
  const state = stateOf(dispatch, now);
  if (state === "over" || state === "cancelled") return null;
  const told = `${counted(new Set(dispatch.sites.map(({ account_id }) => account_id)).size, "account")} with ${counted(dispatch.sites.length, "site")}`;
  const dialog = { onClose: close, busy: change.isPending };
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setAsking("change")}>Change times</Button>
      {state === "in_progress" && (
        <Button look="danger" onClick={() => setAsking("end")}>
          End now
        </Button>
      )}
      <Button look="danger" onClick={() => setAsking("cancel")}>
        Cancel dispatch
      </Button>
      {asking === "change" && (
        <ChangeTimes {...dialog} dispatch={dispatch} isUpcoming={state === "upcoming"} onSend={change.run} />
      )}
      <Confirm
        {...dialog}
        title="End this dispatch now?"
        open={asking === "end"}
        onConfirm={() => change.run({ end_time: new Date().toISOString() })}
        action="End it now"
      >
        {told} are told at once that they may go back to normal. What was delivered until now counts. An ended dispatch
        cannot be taken up again.
      </Confirm>
      <Confirm
        {...dialog}
        title="Cancel this dispatch?"
        open={asking === "cancel"}
        onConfirm={() => change.run({ authorized: false })}
        action="Cancel it"
      >
        {told} are told at once that they need not curtail. A cancelled dispatch cannot be taken up again.
      </Confirm>
    </div>
  );
};
