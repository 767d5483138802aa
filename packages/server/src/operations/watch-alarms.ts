import { type Alarm, type AlarmKind, type Condition, judged } from "../domain/alarm.js";
import type { Result } from "../domain/refusal.js";
import { settleOverdue } from "./chase-owed.js";
import type { NewId } from "./clock.js";
import type { Ports, Stores } from "./ports.js";

export type AlarmPorts = Pick<Ports, "transact" | "clock" | "newId"> & {
  /** What is wrong beside what the database tells. */
  readonly observed?: () => Promise<readonly Condition[]>;
};

export interface AlarmChanges {
  readonly raised: readonly Alarm[];
  readonly cleared: readonly Alarm[];
}

/** Raises what is newly wrong and clears what is over; does nothing while another process is at it. */
export const judgeAlarms = ({ transact, clock, newId, observed }: AlarmPorts): Promise<Result<AlarmChanges>> =>
  transact(async ({ alarms, owed }) => {
    if (!(await alarms.takeTurn())) return { raised: [], cleared: [] };
    // Before the conditions: an alarm that is raised meanwhile, in the transaction of its cause, is not taken for over.
    const standing = await alarms.standing();
    const at = clock.now();
    await settleOverdue(owed, at);
    const found = [...(await alarms.conditions(at)), ...((await observed?.()) ?? [])];
    const verdict = judged(standing, found);
    const cleared = verdict.clear.map((alarm) => ({ ...alarm, clearedAt: at }));
    await alarms.clear(cleared);
    return { raised: await alarms.raise(raisedFrom(verdict.raise, at, newId)), cleared };
  });

/** Raises at once what a change of an account brings about, in the transaction of the change. */
export const raiseForAccount = async (
  { alarms }: Stores,
  { kind, accountId, at }: { readonly kind: AlarmKind; readonly accountId: string; readonly at: Date },
  newId: NewId,
): Promise<void> => {
  const found = await alarms.conditions(at, [kind]);
  const own = found.filter((condition) => condition.accountId === accountId);
  await alarms.raise(raisedFrom(own, at, newId));
};

const raisedFrom = (conditions: readonly Condition[], raisedAt: Date, newId: NewId): Alarm[] =>
  conditions.map((condition) => ({
    ...condition,
    id: newId("alm"),
    raisedAt,
    acknowledgedAt: null,
    clearedAt: null,
  }));
