import type { BodyOf, operator, ReplyOf } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { callOperator } from "../../../api/call.js";
import { useChange, useFormChange } from "../../../api/use-change.js";
import { dayAndClock } from "../../../format/time.js";
import { type AskedAct, askedAct } from "../../../rules/dispatch-acts.js";
import { stateOf } from "../../../rules/dispatch-state.js";
import { Button } from "../../../ui/button.js";
import { Confirm } from "../../../ui/dialog.js";
import { useAsked } from "../../../ui/use-asked.js";
import { ChangeTimes } from "./change-times.js";
import type { Dispatch } from "./dispatch.js";
import { Extend } from "./extend.js";
import { VoidDispatch } from "./void-dispatch.js";

const route = getRouteApi("/operations/dispatches/$id");

type Change = BodyOf<typeof operator.changeDispatch>;
/** The open dialog; when ending a dispatch, with the body: now, or at a time in the past. */
type Asking = "change" | "end" | "cancel" | "void" | { readonly end: Change } | { readonly extendTo: Date } | null;

/** Changes, ends or cancels a dispatch until it is over; voids it afterwards. */
export const DispatchActions = ({ dispatch, now }: { readonly dispatch: Dispatch; readonly now: Date }) => {
  const [asking, setAsking] = useState<Asking>(null);
  const { do: address = "" } = route.useSearch();
  useAsked(address, () => setAsking(askedBy(address, dispatch, now)));
  const close = () => {
    setAsking(null);
    filledIn.reset();
  };
  const send = (body: Change) => callOperator("PATCH", "/dispatches/{id}", { params: { id: dispatch.id }, body });
  const change = useChange(send, { done: doneWords, after: close });
  const filledIn = useFormChange(send, { done: doneWords, after: close });
  const state = stateOf(dispatch, now);
  if (state === "cancelled") return null;
  const told = {
    accounts: new Set(dispatch.sites.map(({ account_id }) => account_id)).size,
    sites: dispatch.sites.length,
  };
  const isByAddress = askedAct(address) !== null;
  const dialog = { onClose: close, busy: change.isPending, ...(isByAddress ? { address } : {}) };
  const form = { onClose: close, busy: filledIn.isPending, error: filledIn.error };
  if (state === "over")
    return (
      <>
        <Button onClick={() => setAsking("void")} aria-haspopup="dialog">
          {say("Void…")}
        </Button>
        {asking === "void" && (
          <VoidDispatch
            {...form}
            told={told}
            onSend={(reason) => filledIn.run({ authorized: false, void_reason: reason })}
          />
        )}
      </>
    );
  const sendTimes = (body: Change) => (hasPassed(body) ? setAsking({ end: body }) : filledIn.run(body));
  const ending = typeof asking === "object" && asking !== null && "end" in asking ? asking.end : null;
  const extendTo = typeof asking === "object" && asking !== null && "extendTo" in asking ? asking.extendTo : null;
  return (
    <div className="flex flex-wrap gap-2">
      <Extend end={dispatch.end_time} onExtend={(to) => setAsking({ extendTo: to })} />
      <Button onClick={() => setAsking("change")} aria-haspopup="dialog">
        {say("Change times")}
      </Button>
      {state === "in_progress" && (
        <Button onClick={() => setAsking("end")} aria-haspopup="dialog">
          {say("End now")}
        </Button>
      )}
      <Button onClick={() => setAsking("cancel")} aria-haspopup="dialog">
        {say("Cancel dispatch")}
      </Button>
      {asking === "change" && (
        <ChangeTimes {...form} dispatch={dispatch} isUpcoming={state === "upcoming"} onSend={sendTimes} />
      )}
      <Confirm
        {...dialog}
        title={say("Extend to {time}?", {
          time: extendTo === null ? "" : dayAndClock(extendTo, dispatch.program.timezone),
        })}
        open={extendTo !== null}
        onConfirm={() => extendTo !== null && change.run({ end_time: extendTo.toISOString() })}
        action={say("Extend")}
      >
        {say(
          "{accounts, plural, one {# account} other {# accounts}} with {sites, plural, one {# site} other {# sites}} will be notified immediately that the dispatch ends later. Times are in {zone}.",
          { ...told, zone: dispatch.program.timezone },
        )}
      </Confirm>
      <Confirm
        {...dialog}
        title={say("End this dispatch now?")}
        open={asking === "end" || ending !== null}
        onConfirm={() => change.run(ending ?? { end_time: new Date().toISOString() })}
        action={say("End dispatch")}
      >
        {ending !== null && <p className="mb-2">{say("The end you chose has passed.")}</p>}
        {ending === null
          ? say(
              "{accounts, plural, one {# account} other {# accounts}} with {sites, plural, one {# site} other {# sites}} will be notified immediately that they may return to normal load. Reductions until now count. An ended dispatch cannot be resumed.",
              told,
            )
          : say(
              "{accounts, plural, one {# account} other {# accounts}} with {sites, plural, one {# site} other {# sites}} will be notified immediately that they may return to normal load. Reductions until then count. An ended dispatch cannot be resumed.",
              told,
            )}
      </Confirm>
      <Confirm
        {...dialog}
        title={say("Cancel this dispatch?")}
        open={asking === "cancel"}
        onConfirm={() => change.run({ authorized: false })}
        action={say("Cancel it")}
      >
        {say(
          "{accounts, plural, one {# account} other {# accounts}} with {sites, plural, one {# site} other {# sites}} will be notified immediately that they need not curtail. The performance of a cancelled dispatch is not evaluated. A cancelled dispatch cannot be resumed.",
          told,
        )}
      </Confirm>
    </div>
  );
};

const MINUTE_MS = 60_000;

/** What the address of the page asks to confirm, as the search writes it; nothing once the dispatch is over. */
const askedBy = (address: string, dispatch: Dispatch, now: Date): Asking => {
  const act = askedAct(address);
  return act === null || stateOf(dispatch, now) !== "in_progress" ? null : askingOf(act, dispatch.end_time);
};

const askingOf = (act: AskedAct, end: string | null): Asking => {
  if ("end" in act) return "end";
  return end === null ? null : { extendTo: new Date(Date.parse(end) + act.extendByMinutes * MINUTE_MS) };
};

const hasPassed = ({ end_time = null }: Change): boolean => end_time !== null && Date.parse(end_time) <= Date.now();

const doneWords = ({ authorized, void_reason, sites }: ReplyOf<typeof operator.changeDispatch>): string => {
  if (void_reason !== null) return say("Dispatch voided.");
  if (!authorized) return say("Dispatch cancelled.");
  const overlapping = sites.filter(({ overlaps }) => overlaps.length > 0).length;
  const changed = say("Dispatch updated. Participants are being notified.");
  const overlaps = say(
    "{n, plural, one {# site is} other {# sites are}} also included in another dispatch in this period.",
    { n: overlapping },
  );
  return overlapping === 0 ? changed : `${changed} ${overlaps}`;
};
