import type { operator } from "@curtail/contract";
import { say } from "@curtail/words/page";
import { change, count, counted, percent, plain, power, powerIn, unitOf } from "../../../format/quantity.js";
import { clock, countdown } from "../../../format/time.js";
import { type BoardRow, type BoardSum, boardRow, sumOf, type Urgency, worstFirst } from "../../../rules/board.js";
import { sparkOf } from "../../../rules/spark.js";
import { Badge } from "../../../ui/badge.js";
import { usePageZone } from "../../../ui/page-zone.js";
import { useNow } from "../../../ui/use-now.js";
import { GapCurve } from "../board/gap-curve.js";

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
  return (
    <h1 className="flex flex-wrap items-baseline gap-x-4 font-semibold">
      <strong className="text-5xl tracking-tight wall:text-8xl">{powerIn(unit, deliveredKw)}</strong>
      <span className="text-lg font-medium wall:text-4xl">
        of {powerIn(unit, committedKw)} {unit} by {counted(number, "dispatch", "dispatches")}
        {share !== null && `, ${percent(share)}`}
        {shortKw !== null && shortKw >= 0.5 && `, ${power(shortKw)} short`}
      </span>
    </h1>
  );
};

const FIGURE = "text-2xl font-semibold tracking-tight whitespace-nowrap wall:text-5xl";
const SMALL = "text-sm whitespace-nowrap text-muted wall:text-2xl";

const Row = ({ row, now }: { readonly row: BoardRow; readonly now: Date }) => {
  const { dispatch, share, shortKw, urgency, isRamping } = row;
  const isShort = shortKw !== null && shortKw >= 0.5;
  return (
    <li className="grid grid-cols-2 items-center gap-x-6 gap-y-1 px-4 py-2 md:grid-cols-[minmax(0,1.4fr)_minmax(0,1.1fr)_minmax(0,0.9fr)_auto_auto] wall:px-8 wall:py-4">
      <div className="min-w-0">
        <div className="flex items-center gap-2 text-xl font-semibold wall:text-4xl">
          <span className="truncate" title={dispatch.program_name}>
            {dispatch.program_name}
          </span>
          {dispatch.test && <Badge tone="info">{say("test")}</Badge>}
        </div>
        <div className={SMALL}>
          <NotNotified row={row} />
        </div>
      </div>
      <div className="text-right">
        <div className={FIGURE}>
          {plain(dispatch.delivered_kw)}
          <span className="text-lg font-normal text-muted wall:text-3xl"> / {plain(dispatch.commitment_kw)} kW</span>
        </div>
        <div className={SMALL}>
          {percent(share)}
          {dispatch.trend_kw !== null && `, ${change(dispatch.trend_kw)} in 5 min`}
        </div>
      </div>
      <div className="h-10 max-md:hidden wall:h-20">
        <GapCurve
          of={sparkOf(dispatch, now)}
          urgency={urgency}
          label={`${dispatch.program_name}: delivered against committed`}
        />
      </div>
      <div className="text-right">
        <div className={`${FIGURE} ${isRamping ? "text-muted" : isShort ? tones[urgency] : "text-muted"}`}>
          {shortKw === null ? "–" : isShort ? plain(shortKw) : "none"}
        </div>
        <div className={SMALL}>{isRamping ? "ramp" : "short, kW"}</div>
      </div>
      <TimeLeft end={dispatch.end_time} now={now} />
    </li>
  );
};

const NotNotified = ({ row: { dispatch, notNotified } }: { readonly row: BoardRow }) => {
  if (notNotified === null) return counted(dispatch.sites, "site");
  if (notNotified === 0) return `all ${counted(dispatch.accounts ?? 0, "account")} notified`;
  return (
    <span className="font-semibold text-bad">
      {count(notNotified)} of {counted(dispatch.accounts ?? 0, "account")} not notified
    </span>
  );
};

const TimeLeft = ({ end, now }: { readonly end: string | null; readonly now: Date }) => {
  const timeZone = usePageZone();
  return (
    <div className="text-right">
      <div className={FIGURE}>{end === null ? "–" : countdown(end, now)}</div>
      <div className={SMALL}>{end === null ? "no end set" : `ends ${clock(end, timeZone)}`}</div>
    </div>
  );
};

const Rest = ({ sum, number }: { readonly sum: BoardSum; readonly number: number }) => (
  <li className="px-4 py-2 text-lg text-muted wall:px-8 wall:py-3 wall:text-3xl">
    {counted(number, "more dispatch", "more dispatches")}: {plain(sum.deliveredKw)} of {plain(sum.committedKw)} kW
    {sum.notNotified > 0 && `, ${counted(sum.notNotified, "account")} not notified`}
  </li>
);
