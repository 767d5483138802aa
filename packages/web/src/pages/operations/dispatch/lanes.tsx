import { say } from "@curtail/words/page";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from "react";
import { QUIET_LEFT_PX, QUIET_RIGHT_PX } from "../../../chart/curve.js";
import { count } from "../../../format/quantity.js";
import { clock, clockWithSeconds, dayAndClock } from "../../../format/time.js";
import { type Lanes, type ReplaySpan, type Revision, shareOf, ticksOf, within } from "../../../rules/replay.js";

interface Axis {
  readonly axis: ReplaySpan;
  readonly timeZone: string;
}

const percent = (share: number): string => `${share * 100}%`;

/** What happened in a dispatch, below its curve and over the same time axis. */
export const TimelineLanes = ({
  lanes,
  axis,
  timeZone,
  untilMs,
}: Axis & {
  readonly lanes: Lanes;
  /** What follows is faded, or not known yet. */
  readonly untilMs: number;
}) => {
  const at = (ms: number) => ({ left: percent(shareOf(axis, ms)) });
  const isIn = (ms: number) => ms >= axis.fromMs && ms <= axis.toMs;
  const time = (ms: number) => clock(new Date(ms), timeZone);
  return (
    <div className="relative text-xs" style={{ marginLeft: QUIET_LEFT_PX, marginRight: QUIET_RIGHT_PX }}>
      <Lane name={say("Notices")} words={noticeWords(lanes)}>
        {lanes.notices
          .filter(({ fromMs }) => isIn(fromMs))
          .map(({ fromMs, toMs, count: notices }) => (
            <i
              key={fromMs}
              title={say("{time}: {n, plural, one {# notice} other {# notices}} arrived within {span}", {
                time: time(fromMs),
                n: notices,
                span: spanWords(toMs - fromMs),
              })}
              className={`absolute top-1 h-3 ${notices > 1 ? "w-[3px] bg-ink" : "w-0.5 bg-line-strong"}`}
              style={at(fromMs)}
            />
          ))}
      </Lane>
      <Lane name={say("Calls")} words={callWords(lanes)}>
        {lanes.calls
          .filter(({ atMs }) => isIn(atMs))
          .map(({ atMs, account }) => (
            <i
              key={`${atMs} ${account}`}
              title={say("{time}: {account} notified by phone", { time: time(atMs), account })}
              className="absolute top-1.5 -ml-1 size-2 rounded-full bg-ink"
              style={at(atMs)}
            />
          ))}
      </Lane>
      <Lane name={say("Alarms")} words={alarmWords(lanes)}>
        {lanes.alarms.map(({ fromMs, toMs, most }) => (
          <i
            key={fromMs}
            title={say("{time}: {n, plural, one {# alarm} other {# alarms}}", { time: time(fromMs), n: most })}
            className="absolute top-1.5 h-2 min-w-[3px] bg-bad"
            style={{ ...at(fromMs), width: percent(shareOf(axis, toMs ?? untilMs) - shareOf(axis, fromMs)) }}
          />
        ))}
      </Lane>
      <Lane name={say("Changes")} words="">
        {lanes.changes
          .filter(({ atMs }) => isIn(atMs))
          .map(({ atMs, what }) => (
            <span key={`${atMs} ${what}`} className="absolute top-1 flex h-3 items-center" style={at(atMs)}>
              <i title={`${time(atMs)}: ${changeWords[what]}`} className="h-3 w-0.5 bg-line-strong" />
              <span className="pl-1 text-muted max-sm:hidden">{changeWords[what]}</span>
            </span>
          ))}
      </Lane>
    </div>
  );
};

const spanWords = (ms: number): string =>
  ms < 60_000 ? `${count(Math.max(1, Math.ceil(ms / 1000)))} s` : `${count(Math.ceil(ms / 60_000))} min`;

/** The first ones, who were many at once. */
const noticeWords = ({ notices }: Lanes): string => {
  const first = notices.find(({ count: some }) => some > 1);
  if (first !== undefined)
    return say("{n} in {span}", { n: count(first.count), span: spanWords(first.toMs - first.fromMs) });
  return notices.length === 0 ? "" : say("{n, plural, one {# notice} other {# notices}}", { n: notices.length });
};

const callWords = ({ calls: { length: n } }: Lanes): string =>
  n === 0 ? "" : say("{n, plural, one {# call} other {# calls}}", { n });

const alarmWords = ({ alarms }: Lanes): string => {
  const most = alarms.reduce((sum, each) => Math.max(sum, each.most), 0);
  return most === 0 ? say("none", {}, "alarms") : say("{n} at a time", { n: count(most) });
};

const Lane = ({
  name,
  words,
  children,
}: {
  readonly name: string;
  readonly words: string;
  readonly children: ReactNode;
}) => (
  <div className="relative h-[21px] border-t border-line">
    <b className="absolute right-full mr-2 leading-5 font-medium whitespace-nowrap text-muted">{name}</b>
    <div className="absolute inset-0 overflow-hidden">{children}</div>
    {words !== "" && (
      <span className="absolute right-0 bg-surface/80 pl-1 leading-5 text-muted max-sm:hidden">{words}</span>
    )}
  </div>
);

/** The time axis, with the moment that the page shows. It is dragged, or moved by a minute with the arrow keys. */
export const TimeHandle = ({
  axis,
  reach,
  timeZone,
  atMs,
  isLive,
  onSeek,
}: Axis & {
  /** What can be shown: until now. */
  readonly reach: ReplaySpan;
  readonly atMs: number;
  readonly isLive: boolean;
  readonly onSeek: (ms: number) => void;
}) => {
  const track = useRef<HTMLDivElement>(null);
  const drag = (event: PointerEvent) => {
    if (event.buttons === 0 || track.current === null) return;
    const { left, width } = track.current.getBoundingClientRect();
    onSeek(within(reach, axis.fromMs + ((event.clientX - left) / width) * (axis.toMs - axis.fromMs)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = movedTo(event.key, atMs, reach);
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    onSeek(within(reach, to));
  };
  const left = percent(shareOf(axis, atMs));
  return (
    <div
      className="relative mt-2 mb-7 touch-none"
      style={{ marginLeft: QUIET_LEFT_PX, marginRight: QUIET_RIGHT_PX }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag(event);
      }}
      onPointerMove={drag}
    >
      <div ref={track} className="h-1.5 rounded bg-sunken">
        <div className="h-full rounded bg-line-strong" style={{ width: left }} />
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={say("Time shown")}
        aria-valuemin={Math.round(reach.fromMs / 1000)}
        aria-valuemax={Math.round(reach.toMs / 1000)}
        aria-valuenow={Math.round(atMs / 1000)}
        aria-valuetext={
          isLive
            ? say("{time}, live", { time: clockWithSeconds(new Date(atMs), timeZone) })
            : clockWithSeconds(new Date(atMs), timeZone)
        }
        onKeyDown={onKeyDown}
        className={`absolute -top-[9px] -ml-3 size-6 cursor-grab rounded-full border-2 bg-surface ${isLive ? "border-accent" : "border-info"}`}
        style={{ left }}
      />
      {ticksOf(axis).map((ms, index) => (
        <span
          key={ms}
          className={`absolute top-4 -translate-x-1/2 text-xs whitespace-nowrap text-muted ${index % 2 === 1 ? "max-sm:hidden" : ""}`}
          style={{ left: percent(shareOf(axis, ms)) }}
        >
          {axis.toMs - axis.fromMs > DAY_MS ? dayAndClock(new Date(ms), timeZone) : clock(new Date(ms), timeZone)}
        </span>
      ))}
    </div>
  );
};

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

const movedTo = (key: string, atMs: number, { fromMs, toMs }: ReplaySpan): number | null => {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return atMs - MINUTE_MS;
    case "ArrowRight":
    case "ArrowUp":
      return atMs + MINUTE_MS;
    case "PageDown":
      return atMs - 10 * MINUTE_MS;
    case "PageUp":
      return atMs + 10 * MINUTE_MS;
    case "Home":
      return fromMs;
    case "End":
      return toMs;
    default:
      return null;
  }
};

const changeWords: Readonly<Record<Revision, string>> = {
  issued: say("issued", {}, "of a dispatch"),
  changed: say("changed", {}, "of a dispatch"),
  cancelled: say("cancelled", {}, "of a dispatch"),
  voided: say("voided", {}, "of a dispatch"),
};
