import type { CurtailmentWindow } from "@curtail/client";
import type { NodeStatus, Translate } from "./red.js";
import type { Followed } from "./site-signals.js";

/** The line under a dispatch node: what runs now, else what comes next. */
export const dispatchStatus = (
  windows: readonly CurtailmentWindow[],
  followed: Followed,
  { nowMs, translate }: { readonly nowMs: number; readonly translate: Translate },
): NodeStatus => {
  const running = Object.values(followed);
  if (running.length > 0) return { fill: "green", shape: "dot", text: runningText(running, nowMs, translate) };
  const [next] = windows
    .filter(({ start_time }) => Date.parse(start_time) > nowMs)
    .toSorted((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
  if (next === undefined) return { fill: "grey", shape: "ring", text: translate("status.idle") };
  return { fill: "blue", shape: "ring", text: translate("status.next", { time: timeText(next.start_time, nowMs) }) };
};

const runningText = (running: readonly CurtailmentWindow[], nowMs: number, translate: Translate): string => {
  const ends = running.flatMap(({ end_time }) => (end_time === null ? [] : [end_time]));
  const sites = running.length;
  if (ends.length < sites) return translate("status.curtailingOpen", { sites });
  const last = ends.reduce((a, b) => (Date.parse(a) > Date.parse(b) ? a : b));
  return translate("status.curtailing", { sites, time: timeText(last, nowMs) });
};

/** In the time zone of Node-RED: the time of day, with the date if it is not today. */
const timeText = (time: string, nowMs: number): string => {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date(nowMs).toDateString();
  const clock = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return isToday ? clock : `${at.toLocaleDateString("sv-SE")} ${clock}`;
};
