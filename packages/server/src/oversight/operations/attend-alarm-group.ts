import type { Actor } from "../../access/domain/account.js";
import type { AccessStores } from "../../access/operations/access-stores.js";
import type { AlarmGroupAct, AttendedAlarms } from "../../platform/alarm.js";
import type { AlarmsInGroup } from "../../platform/alarm-ports.js";
import type { Ports } from "../../platform/ports.js";
import { invalid, notFound, type Result } from "../../platform/refusal.js";
import { formatTimestamp } from "../../platform/timestamp.js";
import { groupParts, inGroup, MAX_SHELF_HOURS } from "../domain/alarm-group.js";

/** Alarms of a group that stand. */
export interface ChosenAlarms extends AlarmsInGroup {
  /** Only these; null: all. */
  readonly ids: readonly string[] | null;
}

/** Each returns the ids of the alarms that it changed, the oldest first. */
export interface AlarmAttending {
  /** Whether any alarm of the group stands. */
  isThere(group: AlarmsInGroup): Promise<boolean>;
  /** Those that are open, and were raised until then. */
  acknowledge(chosen: ChosenAlarms, by: Actor, at: Date, raisedBy: Date): Promise<readonly string[]>;
  unacknowledge(chosen: ChosenAlarms, acknowledgedAt: Date): Promise<readonly string[]>;
  assign(chosen: ChosenAlarms, to: string | null): Promise<readonly string[]>;
  shelve(chosen: ChosenAlarms, until: Date): Promise<readonly string[]>;
  /** With those that were cleared within their shelf: raised again, they would be shelved, too. */
  unshelve(chosen: ChosenAlarms, now: Date): Promise<readonly string[]>;
}

export type AttendingStores = { readonly alarmAttending: AlarmAttending } & Pick<AccessStores, "audit">;

type AttendingPorts = Pick<Ports<AttendingStores>, "transact" | "clock">;

/** Who does something to the alarms of a group. */
export interface Attending {
  readonly actor: Actor;
  readonly groupId: string;
  /** Of its alarms, only these; null: all. */
  readonly alarmIds: readonly string[] | null;
}

export interface AttendedGroup {
  readonly groupId: string;
  readonly at: Date;
  readonly alarms: number;
}

/** Acknowledges what is open in a group; what was raised later than `raisedBy` was not seen. */
export const acknowledgeGroup = (ports: AttendingPorts, attending: Attending, raisedBy: Date | null) =>
  attend(ports, attending, "acknowledge", async ({ alarmAttending }, chosen, at) => ({
    ids: await alarmAttending.acknowledge(chosen, attending.actor, at, raisedBy ?? at),
    state: { acknowledgedAt: at },
  }));

/** Takes back the acknowledgement of a moment. */
export const unacknowledgeGroup = (ports: AttendingPorts, attending: Attending, acknowledgedAt: Date) =>
  attend(ports, attending, "unacknowledge", async ({ alarmAttending }, chosen) => ({
    ids: await alarmAttending.unacknowledge(chosen, acknowledgedAt),
    state: { acknowledgedAt: null },
  }));

export const assignGroup = (ports: AttendingPorts, attending: Attending, to: string | null) =>
  attend(ports, attending, "assign", async ({ alarmAttending }, chosen) => {
    const assignedTo = to === null ? null : to.trim();
    if (assignedTo === "") return invalid("assigned_to is blank; name a person or a desk, or send null for nobody");
    return { ids: await alarmAttending.assign(chosen, assignedTo), state: { assignedTo } };
  });

const MAX_SHELF_MS = MAX_SHELF_HOURS * 3_600_000;

/** Leaves alarms out until a time. */
export const shelveGroup = (ports: AttendingPorts, attending: Attending, until: Date) =>
  attend(ports, attending, "shelve", async ({ alarmAttending }, chosen, at) => {
    if (until <= at) return invalid(`until is past; name a time within ${MAX_SHELF_HOURS} hours from now`);
    const latest = new Date(at.getTime() + MAX_SHELF_MS);
    if (until > latest)
      return invalid(`until is more than ${MAX_SHELF_HOURS} hours from now; the latest is ${formatTimestamp(latest)}`);
    return { ids: await alarmAttending.shelve(chosen, until), state: { shelvedUntil: until } };
  });

export const unshelveGroup = (ports: AttendingPorts, attending: Attending) =>
  attend(ports, attending, "unshelve", async ({ alarmAttending }, chosen, at) => ({
    ids: await alarmAttending.unshelve(chosen, at),
    state: { shelvedUntil: null },
  }));

interface Attended {
  readonly ids: readonly string[];
  readonly state: Omit<AttendedAlarms, "alarms" | "alarmIds">;
}

type Work = (stores: AttendingStores, chosen: ChosenAlarms, at: Date) => Promise<Result<Attended>>;

/** So many alarms are named in the audit log. */
const MOST_NAMED = 200;

const attend = async (
  { transact, clock }: AttendingPorts,
  { actor, groupId, alarmIds }: Attending,
  act: AlarmGroupAct,
  work: Work,
): Promise<Result<AttendedGroup>> => {
  const parts = groupParts(groupId);
  if (parts === null) return notFound("alarm group");
  const group = inGroup(parts);
  return transact(async (stores): Promise<Result<AttendedGroup>> => {
    if (!(await stores.alarmAttending.isThere(group))) return notFound("alarm group");
    const at = clock.now();
    const attended = await work(stores, { ...group, ids: alarmIds }, at);
    if (!("ids" in attended)) return attended;
    const { ids, state } = attended;
    const after = { alarms: ids.length, alarmIds: ids.slice(0, MOST_NAMED), ...state };
    const subject = { id: groupId, accountId: null };
    if (ids.length > 0) await stores.audit.append({ actor, at }, `alarm_group.${act}`, subject, { after });
    return { groupId, at, alarms: ids.length };
  });
};
