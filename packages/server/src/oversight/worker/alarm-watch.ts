import type { AlarmKind } from "../../platform/alarm.js";
import type { LoopClock } from "../../platform/clock.js";
import { Polling } from "../../platform/polling.js";
import { isRefusal } from "../../platform/refusal.js";
import { type AlarmChanges, type AlarmPorts, judgeAlarms } from "../operations/watch-alarms.js";

const JUDGE_EVERY_MS = 5000;

interface AlarmLog {
  error(details: object, message: string): void;
  info(details: object, message: string): void;
}

const words = (failed: AlarmKind | null): string =>
  failed === null
    ? "alarms could not be evaluated by one statement; each kind was evaluated by itself"
    : "alarms of a kind could not be evaluated; they stay as they are";

/** Raises and clears alarms every five seconds of database time, until stopped. */
export const alarmWatch = (ports: AlarmPorts & { readonly clock: LoopClock }, log: AlarmLog): Polling => {
  let judgedAtMs = Number.NEGATIVE_INFINITY;
  return new Polling({
    async look() {
      const nowMs = ports.clock.now().getTime();
      // In either direction: setting back the database's clock must not stop the watch.
      if (Math.abs(nowMs - judgedAtMs) < JUDGE_EVERY_MS) return;
      judgedAtMs = nowMs;
      const changes = await judgeAlarms(ports);
      if (!isRefusal(changes)) logChanges(changes, log);
    },
    onError: (error) => log.error({ err: error }, "alarms could not be evaluated; retrying"),
    clock: ports.clock,
  });
};

/** Without the message: it may quote a mail server, which repeats addresses. */
const logChanges = ({ raised, cleared, faults }: AlarmChanges, log: AlarmLog): void => {
  for (const { kind, error } of faults) log.error({ err: error, kind }, words(kind));
  for (const { id, kind, subject, accountId } of raised)
    log.error({ alarm: id, kind, subject, accountId }, "an alarm was raised; see curtail admin alarms list");
  for (const { id, kind, subject, accountId } of cleared)
    log.info({ alarm: id, kind, subject, accountId }, "an alarm was cleared");
};
