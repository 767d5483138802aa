import type { Alarm, AlarmKind, Condition } from "./alarm.js";
import type { AlarmStores } from "./alarm-ports.js";
import type { NewId } from "./clock.js";

/** Raises the alarms that a change of an account causes, in the transaction of the change. */
export const raiseForAccount = async (
  { alarms }: AlarmStores,
  { kind, accountId, at }: { readonly kind: AlarmKind; readonly accountId: string; readonly at: Date },
  newId: NewId,
): Promise<void> => {
  const found = await alarms.conditions(at, [kind]);
  const own = found.filter((condition) => condition.accountId === accountId);
  await alarms.raise(raisedFrom(own, at, newId));
};

export const raisedFrom = (conditions: readonly Condition[], raisedAt: Date, newId: NewId): Alarm[] =>
  conditions.map((condition) => ({
    ...condition,
    id: newId("alm"),
    raisedAt,
    acknowledgedAt: null,
    note: null,
    clearedAt: null,
  }));
