import type { Queryable } from "../../platform/database/database.js";
import { readAll, readFirst } from "../../platform/database/read.js";
import type { AlarmAttending, ChosenAlarms } from "../operations/attend-alarm-group.js";
import { isShelved } from "./alarm-group-reader.js";

const IN_GROUP = "cleared_at is null and coalesce(dispatch_id, '') = $1 and kind = any($2)";
const CHOSEN = `${IN_GROUP} and ($3::text[] is null or id = any($3))`;

/** Locked in the same order by all: two people may press at once. */
const changed = (set: string, where: string): string => `
  with chosen as (select id from alarms where ${where} order by seq for update)
  update alarms set ${set} from chosen where alarms.id = chosen.id returning alarms.id, alarms.seq`;

export const alarmAttending = (db: Queryable): AlarmAttending => {
  const change = async (text: string, { dispatchId, kinds, ids }: ChosenAlarms, values: readonly unknown[]) => {
    const rows = await readAll(db, (row: { id: string; seq: number }) => row, text, [
      dispatchId ?? "",
      kinds,
      ids,
      ...values,
    ]);
    return rows.toSorted((a, b) => a.seq - b.seq).map(({ id }) => id);
  };
  return {
    async isThere({ dispatchId, kinds }) {
      const text = `select id from alarms where ${IN_GROUP} limit 1`;
      return (await readFirst(db, (row: { id: string }) => row, text, [dispatchId ?? "", kinds])) !== null;
    },
    acknowledge: (chosen, by, at, raisedBy) =>
      change(
        changed(
          "acknowledged_at = $4, acknowledged_by = $5",
          `${CHOSEN} and acknowledged_at is null and raised_at <= $6 and not ${isShelved("$4::timestamptz")}`,
        ),
        chosen,
        [at, by, raisedBy],
      ),
    unacknowledge: (chosen, acknowledgedAt) =>
      change(changed("acknowledged_at = null, acknowledged_by = null", `${CHOSEN} and acknowledged_at = $4`), chosen, [
        acknowledgedAt,
      ]),
    assign: (chosen, to) =>
      change(changed("assigned_to = $4", `${CHOSEN} and assigned_to is distinct from $4::text`), chosen, [to]),
    shelve: (chosen, until) =>
      change(changed("shelved_until = $4", `${CHOSEN} and shelved_until is distinct from $4::timestamptz`), chosen, [
        until,
      ]),
    async unshelve(chosen, now) {
      const ids = await change(
        changed("shelved_until = null", `${CHOSEN} and shelved_until > $4::timestamptz`),
        chosen,
        [now],
      );
      await db.query(
        `update alarms set shelved_until = null from alarms as standing
         where standing.id = any($1) and alarms.kind = standing.kind and alarms.subject = standing.subject and alarms.shelved_until > $2`,
        [ids, now],
      );
      return ids;
    },
  };
};
