import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import { count, power } from "../../../format/quantity.js";
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
        {say("Next", {}, "dispatches")}{" "}
        {more > 0 && (
          <Link
            to="/operations/dispatches"
            search={{ state: "upcoming" }}
            className="text-[0.8125rem] font-medium text-accent hover:underline md:block"
          >
            {say("{n, plural, one {# more} other {# more}}", { n: more })}
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
  const time = clock(start_time, timeZone);
  const when = { time: day === dayOf(now, timeZone, now) ? time : `${day}, ${time}`, program: program_name };
  const facts = [
    power(commitment_kw),
    say("{n, plural, one {# site} other {# sites}}", { n: sites }),
    ...noticeWords(dispatch, now, timeZone),
  ];
  return (
    <Link to="/operations/dispatches/$id" params={{ id }} className="min-w-0 hover:underline">
      <b className="block truncate font-semibold" title={program_name}>
        {test ? say("{time} {program} (test)", when) : say("{time} {program}", when)}
      </b>
      <span className="block text-[0.8125rem] text-muted">{facts.join(", ")}</span>
    </Link>
  );
};

const noticeWords = (
  { accounts, accounts_notified, notification_time }: Upcoming,
  now: Date,
  timeZone: string,
): readonly string[] => {
  if (Date.parse(notification_time) > now.getTime())
    return [say("notices at {time}", { time: clock(notification_time, timeZone) })];
  if (accounts === null || accounts_notified === null) return [];
  return [say("{n} of {all} notified", { n: count(accounts_notified), all: count(accounts) })];
};
