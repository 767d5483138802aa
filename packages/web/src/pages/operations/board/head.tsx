import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { percent, power, powerIn, unitOf } from "../../../format/quantity.js";
import { clock, clockWithSeconds, dayOf } from "../../../format/time.js";
import type { BoardRow, BoardSum, Urgency } from "../../../rules/board.js";
import { usePageZone, ZoneChoice } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { useNow } from "../../../ui/use-now.js";
import { useTitle } from "../../../ui/use-title.js";

type Upcoming = operator.DispatchOverview;

/** What all dispatches in progress deliver, as a sentence; without one, what comes next. */
export const BoardHead = ({
  rows,
  sum,
  next,
  actions,
}: {
  readonly rows: readonly BoardRow[];
  readonly sum: BoardSum;
  readonly next: Upcoming | undefined;
  readonly actions: React.ReactNode;
}) => {
  useTitle(say("Board"));
  return (
    <header className="mb-2.5 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-7 gap-y-1.5 md:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div className="min-w-0 max-md:order-3 max-md:col-span-2">
        <h1 className="flex flex-wrap items-baseline gap-x-3.5 gap-y-1 leading-[1.05] font-semibold">
          {rows.length > 0 ? <Delivered rows={rows} sum={sum} /> : <Next dispatch={next} />}
        </h1>
        {rows.length > 0 && <SumBar rows={rows} />}
      </div>
      <Clock />
      <div className="grid justify-items-end gap-1.5 max-md:order-2">{actions}</div>
    </header>
  );
};

const Delivered = ({ rows, sum }: { readonly rows: readonly BoardRow[]; readonly sum: BoardSum }) => {
  const { deliveredKw, committedKw, share, shortKw } = sum;
  const unit = unitOf(Math.max(committedKw, deliveredKw ?? 0));
  const short =
    shortKw !== null && shortKw > 0 ? (
      <span className="whitespace-nowrap">{say("{power} short.", { power: power(shortKw) })}</span>
    ) : null;
  const values = {
    delivered: powerIn(unit, deliveredKw),
    committed: `${powerIn(unit, committedKw)} ${unit}`,
    n: rows.length,
    figures,
    strong,
    small,
    rest: (inside: ReactNode) => (
      <span className="text-[0.9375rem] font-medium sm:text-[1.0625rem]">
        {inside} {short}
      </span>
    ),
  };
  return share === null
    ? sayParts(
        "<figures><strong>{delivered}</strong> <small>of {committed}</small></figures> <rest>delivered by {n, plural, one {# dispatch} other {# dispatches}}.</rest>",
        values,
      )
    : sayParts(
        "<figures><strong>{delivered}</strong> <small>of {committed}</small></figures> <rest>delivered by {n, plural, one {# dispatch} other {# dispatches}}, {share}.</rest>",
        { ...values, share: percent(share) },
      );
};

const figures = (inside: ReactNode) => (
  <span className="text-[2.375rem] tracking-tight xl:text-[2.75rem]">{inside}</span>
);
const strong = (inside: ReactNode) => <strong className="font-semibold">{inside}</strong>;
const small = (inside: ReactNode) => <span className="text-xl font-medium text-muted xl:text-2xl">{inside}</span>;

const Next = ({ dispatch }: { readonly dispatch: Upcoming | undefined }) => {
  const timeZone = usePageZone();
  const now = useNow();
  if (dispatch === undefined) return <span className="text-2xl">{say("No dispatch is in progress.")}</span>;
  const { program_name, start_time, commitment_kw } = dispatch;
  const day = dayOf(new Date(start_time), timeZone, now);
  const isToday = day === dayOf(now, timeZone, now);
  const values = { program: program_name, time: clock(start_time, timeZone), power: power(commitment_kw) };
  return (
    <span className="text-2xl break-words">
      {isToday
        ? say("Next: {program} at {time}, {power}", values)
        : say("Next: {program} at {day}, {time}, {power}", { ...values, day })}
    </span>
  );
};

const fills: Readonly<Record<Urgency, string>> = { bad: "bg-gap-bad", warn: "bg-gap-warn", none: "bg-band" };

/** As wide as committed, dark what is delivered, coloured what is short, in the order of the rows. */
const SumBar = ({ rows }: { readonly rows: readonly BoardRow[] }) => (
  <div aria-hidden="true" className="mt-2 flex h-3.5 gap-[3px]">
    {rows.map(({ dispatch, share, urgency }) => (
      <Link
        key={dispatch.id}
        to="/operations/dispatches/$id"
        params={{ id: dispatch.id }}
        tabIndex={-1}
        title={say("{program}: {delivered} of {committed}", {
          program: dispatch.program_name,
          delivered: power(dispatch.delivered_kw),
          committed: power(dispatch.commitment_kw),
        })}
        className="flex min-w-1 overflow-hidden rounded-sm bg-sunken"
        style={{ flex: Math.max(1, dispatch.commitment_kw) }}
      >
        <span className="bg-line-strong" style={{ width: `${Math.min(100, Math.max(0, (share ?? 0) * 100))}%` }} />
        {share !== null && <span className={`flex-1 ${fills[urgency]}`} />}
      </Link>
    ))}
  </div>
);

const Clock = () => {
  const now = useNow();
  const timeZone = usePageZone();
  return (
    <div className="min-w-0 max-md:flex max-md:flex-wrap max-md:items-baseline max-md:gap-x-2">
      <div className="text-xl leading-tight font-semibold tracking-tight whitespace-nowrap md:text-[2.125rem]">
        {clockWithSeconds(now, timeZone)}
      </div>
      <div className="text-xs text-muted md:text-[0.8125rem] md:whitespace-nowrap">
        {dayOf(now, timeZone)} <span className="max-md:hidden">·</span> <ZoneChoice />
      </div>
    </div>
  );
};
