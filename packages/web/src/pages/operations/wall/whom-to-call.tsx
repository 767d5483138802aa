import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { power } from "../../../format/quantity.js";
import { groupTitle } from "../../../rules/alarm-group.js";
import { useAlarmGroups } from "../alarms/use-alarm-groups.js";

/** Lines that fit below the dispatches. */
const MOST_CALLS = 2;

type Group = operator.AlarmGroup;
type Callee = NonNullable<Group["call_first"]>;

/** The accounts to call first, of the most urgent alarms. */
export const WhomToCall = () => {
  const { data } = useAlarmGroups();
  const calls = (data?.items ?? []).flatMap((group) =>
    group.call_first === null || group.open === 0
      ? []
      : [{ id: group.id, title: groupTitle(group), callee: group.call_first }],
  );
  if (data === undefined || calls.length === 0) return null;
  return (
    <section aria-label={say("Whom to call")} className="mt-4 grid gap-2 wall:gap-4">
      {calls.slice(0, MOST_CALLS).map(({ id, title, callee }) => (
        <div
          key={id}
          className="flex flex-wrap items-baseline justify-between gap-x-6 rounded-2xl bg-surface px-4 py-2 ring-1 ring-line wall:px-8 wall:py-4"
        >
          <span className="min-w-0 text-lg font-semibold break-words wall:text-4xl">{title}</span>
          <span className="text-lg wall:text-4xl">
            <Call callee={callee} />
          </span>
        </div>
      ))}
    </section>
  );
};

const Call = ({ callee: { account_name, at_stake_kw, contact } }: { readonly callee: Callee }) => (
  <>
    {account_name}
    {at_stake_kw !== null && <span className="text-muted">, {power(at_stake_kw)}</span>}{" "}
    <b className="font-semibold whitespace-nowrap">{contact?.phone ?? contact?.email ?? say("no contact")}</b>
  </>
);
