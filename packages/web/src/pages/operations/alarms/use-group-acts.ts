import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useChange } from "../../../api/use-change.js";
import { counted } from "../../../format/quantity.js";
import { useNotify } from "../../../ui/notify.js";

type Act = operator.GroupAct;

const alarmsOf = ({ alarms }: Act): string => counted(alarms, "alarm");

/** What people do to the alarms of a group. */
export const useGroupActs = (id: string, asOf: string) => {
  const notify = useNotify();
  const params = { id };
  const takeBack = useChange(
    (acknowledged_at: string) =>
      callOperator("POST", "/alarms/groups/{id}/unacknowledge", { params, body: { acknowledged_at } }),
    {
      done: (act) =>
        act.alarms === 0 ? say("These alarms have ended meanwhile.") : `${alarmsOf(act)} open again: nobody is on it.`,
    },
  );
  const acknowledge = useChange(
    () => callOperator("POST", "/alarms/groups/{id}/acknowledge", { params, body: { raised_by: asOf } }),
    {
      after: (act) => {
        if (act.alarms === 0) notify.good(say("Acknowledged by somebody else meanwhile."));
        else notify.good(`${alarmsOf(act)} acknowledged.`, { label: say("Undo"), run: () => takeBack.run(act.at) });
      },
    },
  );
  const shelve = useChange(
    (until: string) => callOperator("POST", "/alarms/groups/{id}/shelve", { params, body: { until } }),
    {
      after: (act) =>
        notify.good(`${alarmsOf(act)} shelved.`, { label: say("Undo"), run: () => unshelve.run(undefined) }),
    },
  );
  const unshelve = useChange(() => callOperator("POST", "/alarms/groups/{id}/unshelve", { params, body: {} }), {
    done: (act) => `${alarmsOf(act)} returned.`,
  });
  return { acknowledge, shelve };
};
