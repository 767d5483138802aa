import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import { count, counted, power } from "../../../format/quantity.js";
import { clock, dayOf } from "../../../format/time.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { useNow } from "../../../ui/use-now.js";

type Upcoming = operator.DispatchOverview;

const MOST_SHOWN = 3;

/** The next dispatches, soonest first; the rest is under Dispatches. */
export const NextDispatches = ({ dispatches }: { readonly dispatches: readonly Upcoming[] }) => {
  const more = dispatches.length - MOST_SHOWN;
  if (dispatches.length === 0)
    return <p className="px-4 pt-2.5 text-sm text-muted">{say("No dispatches start in the next 7 days.")}</p>;
  return (
    <section aria-label={say("Next dispatches")} className="grid gap-x-4 gap-y-1 px-4 pt-2.5 text-sm md:grid-cols-4">
      <h2 className="font-semibold">
        Next{" "}
        {more > 0 && (
          <Link
            to="/operations/dispatches"
            search={{ state: "upcoming" }}
            className="text-[0.8125rem] font-medium text-accent hover:underline md:block"
          >
            {count(more)} more
          </Link>
        )}
      </h2>
      {dispatches.slice(0, MOST_SHOWN).map((dispatch) => (
        <Soon key={dispatch.id} dispatch={dispatch} />
      ))}
    </section>
  );
};

const Soon = ({ dispatch }: { readonly dispatch: Upcoming }) => {
  const { id, program_name, start_time, commitment_kw, sites, test } = dispatch;
  const timeZone = usePageZone();
  const now = useNow();
  const day = dayOf(new Date(start_time), timeZone, now);
  return (
    <Link to="/operations/dispatches/$id" params={{ id }} className="min-w-0 hover:underline">
      <b className="block truncate font-semibold" title={program_name}>
        {day !== dayOf(now, timeZone, now) && `${day}, `}
        {clock(start_time, timeZone)} {program_name}
        {test && " (test)"}
      </b>
      <span className="block text-[0.8125rem] text-muted">
        {power(commitment_kw)}, {counted(sites, "site")}
        <Notices of={dispatch} now={now} timeZone={timeZone} />
      </span>
    </Link>
  );
};

const Notices = ({
  of: { accounts, accounts_notified, notification_time },
  now,
  timeZone,
}: {
  readonly of: Upcoming;
  readonly now: Date;
  readonly timeZone: string;
}) => {
  if (Date.parse(notification_time) > now.getTime()) return `, notices at ${clock(notification_time, timeZone)}`;
  if (accounts === null || accounts_notified === null) return null;
  return `, ${count(accounts_notified)} of ${count(accounts)} notified`;
};
