import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { change, count, percent, plain, power, powerIn, unitOf } from "../../../format/quantity.js";
import { clock, countdown } from "../../../format/time.js";
import { GapCurve } from "../../../parts/gap-curve.js";
import { type BoardRow, type BoardSum, boardRow, sumOf, type Urgency, worstFirst } from "../../../rules/board.js";
import { sparkOf } from "../../../rules/spark.js";
import { Badge } from "../../../ui/badge.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { useNow } from "../../../ui/use-now.js";

/** More are summed up in a line: each row is read from 5 m. */
const MOST_ROWS = 6;

const tones: Readonly<Record<Urgency, string>> = { bad: "text-bad", warn: "text-warn", none: "text-ink" };

/** Several dispatches, worst first, in letters that are read from 5 m. */
export const WallRows = ({ dispatches }: { readonly dispatches: readonly operator.DispatchOverview[] }) => {
  const now = useNow();
  const rows = worstFirst(dispatches.map((dispatch) => boardRow(dispatch, now)));
  const rest = rows.slice(MOST_ROWS);
  return (
    <>
      <Sum sum={sumOf(rows)} number={rows.length} />
      <ul
        aria-label={say("Dispatches in progress")}
        className="mt-4 divide-y divide-line rounded-2xl bg-surface ring-1 ring-line"
      >
        {rows.slice(0, MOST_ROWS).map((row) => (
          <Row key={row.dispatch.id} row={row} now={now} />
        ))}
        {rest.length > 0 && <Rest sum={sumOf(rest)} number={rest.length} />}
      </ul>
    </>
  );
};

const Sum = ({ sum, number }: { readonly sum: BoardSum; readonly number: number }) => {
  const { deliveredKw, committedKw, share, shortKw } = sum;
  const unit = unitOf(Math.max(committedKw, deliveredKw ?? 0));
  const more = [
    ...(share === null ? [] : [percent(share)]),
    ...(shortKw !== null && shortKw >= 0.5 ? [say("{kw} short", { kw: power(shortKw) })] : []),
  ];
  return (
    <h1 className="flex flex-wrap items-baseline gap-x-4 font-semibold">
      {sayParts(
        "<strong>{delivered}</strong> <small>of {committed} by {n, plural, one {# dispatch} other {# dispatches}}{more}</small>",
        {
          delivered: powerIn(unit, deliveredKw),
          committed: `${powerIn(unit, committedKw)} ${unit}`,
          n: number,
          more: more.map((part) => `, ${part}`).join(""),
          strong: (inside) => <strong className="text-5xl tracking-tight wall:text-8xl">{inside}</strong>,
          small: (inside) => <span className="text-lg font-medium wall:text-4xl">{inside}</span>,
        },
      )}
    </h1>
  );
};

const FIGURE = "text-2xl font-semibold tracking-tight whitespace-nowrap wall:text-5xl";
const SMALL = "text-sm whitespace-nowrap text-muted wall:text-2xl";

const Row = ({ row, now }: { readonly row: BoardRow; readonly now: Date }) => {
  const { dispatch, share, shortKw, urgency, isRamping } = row;
  const isShort = shortKw !== null && shortKw >= 0.5;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 px-4 py-2 md:grid-cols-[minmax(0,1.4fr)_minmax(0,1.1fr)_minmax(0,0.9fr)_auto_auto] wall:px-8 wall:py-4">
      <div className="min-w-0">
        <div className="flex items-center gap-2 text-xl font-semibold wall:text-4xl">
          <span className="truncate" title={dispatch.program_name}>
            {dispatch.program_name}
          </span>
          {dispatch.test && <Badge tone="info">{say("test")}</Badge>}
        </div>
        <div className={`${SMALL} max-md:whitespace-normal`}>
          <NotNotified row={row} />
        </div>
      </div>
      <div className="text-right">
        <div className={FIGURE}>
          {plain(dispatch.delivered_kw)}
          <span className="text-lg font-normal text-muted wall:text-3xl"> / {plain(dispatch.commitment_kw)} kW</span>
        </div>
        <div className={SMALL}>
          {dispatch.trend_kw === null
            ? percent(share)
            : say("{share}, {change} in 5 min", { share: percent(share), change: change(dispatch.trend_kw) })}
        </div>
      </div>
      <div className="h-10 max-md:hidden wall:h-20">
        <GapCurve
          of={sparkOf(dispatch, now)}
          urgency={urgency}
          label={say("{program}: delivered against committed", { program: dispatch.program_name })}
        />
      </div>
      <div className="text-right">
        <div className={`${FIGURE} ${isRamping ? "text-muted" : isShort ? tones[urgency] : "text-muted"}`}>
          {shortKw === null ? "–" : isShort ? plain(shortKw) : say("none", {}, "shortfall")}
        </div>
        <div className={SMALL}>{isRamping ? say("ramp", {}, "in place of a shortfall") : say("short, kW")}</div>
      </div>
      <TimeLeft end={dispatch.end_time} now={now} />
    </li>
  );
};

const NotNotified = ({ row: { dispatch, notNotified } }: { readonly row: BoardRow }) => {
  if (notNotified === null) return say("{n, plural, one {# site} other {# sites}}", { n: dispatch.sites });
  const accounts = dispatch.accounts ?? 0;
  if (notNotified === 0) return say("all {n, plural, one {# account} other {# accounts}} notified", { n: accounts });
  return (
    <span className="font-semibold text-bad">
      {say("{part} of {n, plural, one {# account} other {# accounts}} not notified", {
        part: count(notNotified),
        n: accounts,
      })}
    </span>
  );
};

const TimeLeft = ({ end, now }: { readonly end: string | null; readonly now: Date }) => {
  const timeZone = usePageZone();
  return (
    <div className="text-right">
      <div className={FIGURE}>{end === null ? "–" : countdown(end, now)}</div>
      <div className={SMALL}>
        {end === null ? say("no end set") : say("ends {time}", { time: clock(end, timeZone) })}
      </div>
    </div>
  );
};

const Rest = ({ sum, number }: { readonly sum: BoardSum; readonly number: number }) => (
  <li className="px-4 py-2 text-lg text-muted wall:px-8 wall:py-3 wall:text-3xl">
    {say("{n, plural, one {# more dispatch} other {# more dispatches}}: {delivered} of {committed} kW", {
      n: number,
      delivered: plain(sum.deliveredKw),
      committed: plain(sum.committedKw),
    })}
    {sum.notNotified > 0 &&
      `, ${say("{n, plural, one {# account} other {# accounts}} not notified", { n: sum.notNotified })}`}
  </li>
);
