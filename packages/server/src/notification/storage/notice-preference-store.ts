import { type RowOf, selection } from "../../platform/database/columns.js";
import type { Queryable } from "../../platform/database/database.js";
import { readFirst } from "../../platform/database/read.js";
import type { NoticePreferences } from "../domain/notice-preferences.js";
import type { NoticePreferenceStore } from "../operations/manage-notice-preferences.js";

const preferenceRow = selection("notice_preferences", [
  "dispatch_mail",
  "dispatch_push",
  "change_mail",
  "change_push",
  "alarm_mail",
  "alarm_push",
  "quiet_from",
  "quiet_until",
  "time_zone",
]);

const fromRow = (row: RowOf<typeof preferenceRow>): NoticePreferences => ({
  dispatches: { mail: row.dispatch_mail, push: row.dispatch_push },
  changes: { mail: row.change_mail, push: row.change_push },
  alarms: { mail: row.alarm_mail, push: row.alarm_push },
  quietHours: quietHoursOf(row),
  timezone: row.time_zone,
});

/** Of a row with the columns; both are set, or neither. */
export const quietHoursOf = (row: {
  readonly quiet_from: string | null;
  readonly quiet_until: string | null;
}): NoticePreferences["quietHours"] =>
  row.quiet_from === null || row.quiet_until === null ? null : { from: row.quiet_from, until: row.quiet_until };

export const noticePreferenceStore = (db: Queryable): NoticePreferenceStore => ({
  find: (userId) =>
    readFirst(db, fromRow, `select ${preferenceRow.columns} from notice_preferences where user_id = $1`, [userId]),
  async save(userId, { dispatches, changes, alarms, quietHours, timezone }, at) {
    await db.query(
      `insert into notice_preferences (user_id, dispatch_mail, dispatch_push, change_mail, change_push, alarm_mail,
         alarm_push, quiet_from, quiet_until, time_zone, changed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (user_id) do update
       set (dispatch_mail, dispatch_push, change_mail, change_push, alarm_mail, alarm_push, quiet_from, quiet_until,
         time_zone, changed_at) = ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        userId,
        dispatches.mail,
        dispatches.push,
        changes.mail,
        changes.push,
        alarms.mail,
        alarms.push,
        quietHours?.from,
        quietHours?.until,
        timezone,
        at,
      ],
    );
  },
});
