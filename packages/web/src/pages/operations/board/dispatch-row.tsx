import { say } from "@curtail/words/page";
import { Link } from "@tanstack/react-router";
import { count, percent, plain } from "../../../format/quantity.js";
import { clock, isSameDay } from "../../../format/time.js";
import { GapCurve } from "../../../parts/gap-curve.js";
import type { BoardRow } from "../../../rules/board.js";
import { sparkOf } from "../../../rules/spark.js";
import { Badge } from "../../../ui/badge.js";
import { DayAndClock, usePageZone } from "../../../ui/page-zone.js";
import { sayParts } from "../../../ui/say-parts.js";
import { Cell, FIGURE, NotNotified, ROW, Short, SMALL, TimeLeft, Trend } from "./row-cells.js";
import { stepRows } from "./step-rows.js";

/** A dispatch in progress; its first button opens it. */
export const DispatchRow = ({
  row,
  now,
  alarms,
  isOpen,
  onToggle,
}: {
  readonly row: BoardRow;
  readonly now: Date;
  readonly alarms: number | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) => {
  const { dispatch, share, shortKw, isRamping, urgency, notNotified } = row;
  const { id, program_name, delivered_kw, commitment_kw, accounts, trend_kw } = dispatch;
  return (
    <tr
      className={`h-[47px] cursor-pointer max-md:h-auto has-[[data-row]:focus-visible]:outline-2 has-[[data-row]:focus-visible]:-outline-offset-2 has-[[data-row]:focus-visible]:outline-accent ${ROW}`}
      onClick={({ target }) => (target instanceof Element && target.closest("a, button") === null ? onToggle() : null)}
    >
      <td className="max-md:hidden">
        <Toggle id={id} name={program_name} isOpen={isOpen} onToggle={onToggle} />
      </td>
      <th scope="row" className="min-w-0 text-left leading-tight font-semibold md:w-[22%] md:max-w-0 md:min-w-28">
        <span className="flex min-w-0 items-center gap-1.5">
          <Link
            to="/operations/dispatches/$id"
            params={{ id }}
            title={program_name}
            className="min-w-0 truncate text-[0.9375rem] hover:underline md:text-base"
          >
            {program_name}
          </Link>
          {dispatch.test && <Badge tone="info">{say("test", {}, "dispatch")}</Badge>}
        </span>
        <small className={`${SMALL} truncate`}>
          <Since row={row} now={now} />
        </small>
      </th>
      <td className="text-right whitespace-nowrap">
        <span className={`font-semibold ${FIGURE}`}>{plain(delivered_kw)}</span>{" "}
        <span className="text-muted">/ {plain(commitment_kw)}</span>
      </td>
      <td className="max-md:col-span-2 max-md:row-start-2">
        <div className="h-6 w-full md:h-8 md:min-w-24 xl:min-w-42">
          <GapCurve of={sparkOf(dispatch, now)} urgency={urgency} label={sparkWords(row)} />
        </div>
      </td>
      <td className="text-right max-md:col-start-3 max-md:row-start-1">
        <span className={`font-medium ${FIGURE} ${isRamping ? "text-muted" : ""}`}>{percent(share)}</span>
        {isRamping && <Ramp until={dispatch.ramp_until} />}
      </td>
      <Cell words={say("short", {}, "of kW")} className="max-md:col-start-1 max-md:row-start-3 max-md:text-left">
        <Short kw={shortKw} urgency={urgency} isRamping={isRamping} />
      </Cell>
      <td className="text-right max-md:col-start-3 max-md:row-start-2">
        <TimeLeft end={dispatch.end_time} now={now} />
      </td>
      <Cell words={say("not notified", {}, "accounts")} className="max-md:row-start-3">
        <NotNotified number={notNotified} of={accounts} />
      </Cell>
      <td className="text-right max-xl:hidden">
        <span className={alarms === null || alarms === 0 ? "text-muted" : "font-semibold"}>
          {alarms === null ? "–" : count(alarms)}
        </span>
      </td>
      <Cell words={say("in 5 min")} className="max-md:row-start-3">
        <Trend kw={trend_kw} isFalling={urgency !== "none" && (trend_kw ?? 0) < 0} />
      </Cell>
    </tr>
  );
};

const Since = ({ row: { dispatch }, now }: { readonly row: BoardRow; readonly now: Date }) => {
  const { sites, sites_measured: measured, start_time } = dispatch;
  const start = <Start at={start_time} now={now} />;
  return measured !== null && measured < sites
    ? sayParts("{measured} of {sites, plural, one {# site} other {# sites}} measured, since {start}", {
        measured: count(measured),
        sites,
        start,
      })
    : sayParts("{sites, plural, one {# site} other {# sites}}, since {start}", { sites, start });
};

/** The day is said of another day only. */
const Start = ({ at, now }: { readonly at: string; readonly now: Date }) => {
  const timeZone = usePageZone();
  return isSameDay(at, now, timeZone) ? clock(at, timeZone) : <DayAndClock at={at} />;
};

const Toggle = ({
  id,
  name,
  isOpen,
  onToggle,
}: {
  readonly id: string;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) => (
  <button
    type="button"
    data-row=""
    aria-expanded={isOpen}
    aria-controls={isOpen ? `opened-${id}` : undefined}
    aria-label={name}
    onClick={onToggle}
    onKeyDown={stepRows}
    className="grid size-7 place-items-center rounded outline-none"
  >
    <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 fill-none stroke-muted" strokeWidth="1.6">
      <path d={isOpen ? "M2 4l4 4 4-4" : "M4 2l4 4-4 4"} />
    </svg>
  </button>
);

const Ramp = ({ until }: { readonly until: string | null }) => {
  const timeZone = usePageZone();
  if (until === null) return null;
  return <small className={SMALL}>{say("ramp to {time}", { time: clock(until, timeZone) })}</small>;
};

const sparkWords = ({ dispatch: { program_name } }: BoardRow): string =>
  say("{program}: delivered against committed since the start; the empty part is the time left", {
    program: program_name,
  });
