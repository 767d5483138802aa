import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { callOperator } from "../../../api/call.js";
import { useChange } from "../../../api/use-change.js";
import { useNotify } from "../../../ui/notify.js";

type Act = operator.GroupAct;

/** What people do to the alarms of a group. */
export const useGroupActs = (id: string, asOf: string) => {
  const notify = useNotify();
  const params = { id };
  const takeBack = useChange(
    (acknowledged_at: string) =>
      callOperator("POST", "/alarms/groups/{id}/unacknowledge", { params, body: { acknowledged_at } }),
    {
      done: (act) =>
        act.alarms === 0
          ? say("These alarms have ended meanwhile.")
          : say("{n, plural, one {# alarm} other {# alarms}} open again: nobody is on it.", { n: act.alarms }),
    },
  );
  const acknowledge = useChange(
    () => callOperator("POST", "/alarms/groups/{id}/acknowledge", { params, body: { raised_by: asOf } }),
    {
      after: (act) => {
        if (act.alarms === 0) notify.good(say("Acknowledged by somebody else meanwhile."));
        else notify.good(acknowledgedWords(act), { label: say("Undo"), run: () => takeBack.run(act.at) });
      },
    },
  );
  const shelve = useChange(
    (until: string) => callOperator("POST", "/alarms/groups/{id}/shelve", { params, body: { until } }),
    {
      after: (act) => notify.good(shelvedWords(act), { label: say("Undo"), run: () => unshelve.run(undefined) }),
    },
  );
  const unshelve = useUnshelve(id);
  return { acknowledge, shelve };
};

/** Returns the shelved alarms of a group. */
export const useUnshelve = (id: string) =>
  useChange(() => callOperator("POST", "/alarms/groups/{id}/unshelve", { params: { id }, body: {} }), {
    done: ({ alarms: n }) => say("{n, plural, one {# alarm} other {# alarms}} returned.", { n }),
  });

const acknowledgedWords = ({ alarms: n }: Act): string =>
  say("{n, plural, one {# alarm} other {# alarms}} acknowledged.", { n });

const shelvedWords = ({ alarms: n }: Act): string => say("{n, plural, one {# alarm} other {# alarms}} shelved.", { n });
