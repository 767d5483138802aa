import { settleOverdue } from "../../notification/operations/escalate-owed.js";
import type { NotificationStores } from "../../notification/operations/notification-stores.js";
import { type Alarm, type Condition, reconcile } from "../../platform/alarm.js";
import type { AlarmStores } from "../../platform/alarm-ports.js";
import type { Ports } from "../../platform/ports.js";
import { raisedFrom } from "../../platform/raise-alarms.js";
import type { Result } from "../../platform/refusal.js";

export type AlarmPorts = Pick<Ports<AlarmStores & Pick<NotificationStores, "owed">>, "transact" | "clock" | "newId"> & {
  /** Conditions that are not in the database. */
  readonly observed?: () => Promise<readonly Condition[]>;
};

export interface AlarmChanges {
  readonly raised: readonly Alarm[];
  readonly cleared: readonly Alarm[];
}

/** Raises new alarms and clears those that are over; does nothing while another process does it. */
export const judgeAlarms = ({ transact, clock, newId, observed }: AlarmPorts): Promise<Result<AlarmChanges>> =>
  transact(async ({ alarms, owed }) => {
    if (!(await alarms.takeTurn())) return { raised: [], cleared: [] };
    // Before the conditions: an alarm raised meanwhile, in the transaction of its cause, must not be cleared.
    const standing = await alarms.standing();
    const at = clock.now();
    await settleOverdue(owed, at);
    const found = [...(await alarms.conditions(at)), ...((await observed?.()) ?? [])];
    const verdict = reconcile(standing, found);
    const cleared = verdict.clear.map((alarm) => ({ ...alarm, clearedAt: at }));
    await alarms.clear(cleared);
    return { raised: await alarms.raise(raisedFrom(verdict.raise, at, newId)), cleared };
  });
