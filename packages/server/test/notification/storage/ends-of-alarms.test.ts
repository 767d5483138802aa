import { expect, test } from "vitest";
import { mailbox } from "../../../src/dispatch/storage/mailbox.js";
import { peopleToNotify } from "../../../src/notification/storage/expand-personal-notices.js";
import { personalChannel } from "../../../src/notification/storage/personal-notice-queue.js";
import { unseenBy } from "../../../src/platform/database/follower-store.js";
import { migrate } from "../../../src/platform/database/migrate.js";
import { readMigrations } from "../../../src/platform/database/migration.js";
import { cloneDatabase, emptyDatabase } from "../../support/database.js";
import { database } from "../../support/migrating.js";
import { testSecretBox } from "../../support/secret-box.js";

const NOW = new Date("2026-07-01T12:00:00Z");
const LEASED_UNTIL = new Date("2026-07-01T12:00:30Z");

type State = "delivered" | "pending" | "failed" | "dropped";

/** An alarm that is over, of which one person was notified as far as the given state. */
const endedAlarm = async (state: State, leasedUntil: Date | null) => {
  const { pool } = await database(cloneDatabase);
  await pool.query(
    `with person as (
       insert into users (id, email, name, role, created_at, accepted_at)
       values ('usr_1', 'ann@example.com', 'Ann', 'operator', $1, $1) returning id
     ), chosen as (
       insert into notice_preferences (user_id, dispatch_mail, dispatch_push, change_mail, change_push, alarm_mail, alarm_push, time_zone,
         changed_at)
       select id, false, false, false, false, true, false, 'UTC', $1 from person
     )
     insert into alarms (id, kind, subject, message, raised_at, cleared_at) values ('alm_1', 'webhook_failing', 'x', '', $1, $1)`,
    [NOW],
  );
  await pool.query(
    `insert into messages (id, channel, recipient, user_id, subject, event, detail, state, created_at, next_attempt_at, leased_until)
     values ('pnt_1', 'personal_mail', 'usr_1', 'usr_1', 'alm_1', 'alarm.raise', '{"name": "Ann"}', $2, $1,
       case $2 when 'pending' then $1::timestamptz end, $3)`,
    [NOW, state, leasedUntil],
  );
  await peopleToNotify(pool).ofEndedAlarms(["alm_1"], NOW);
  const queue = mailbox(pool, personalChannel("mail", testSecretBox));
  return {
    pool,
    /** Of the end: whether it is taken to be sent. */
    async isClaimed(): Promise<boolean> {
      const claim = { now: NOW, leasedUntil: LEASED_UNTIL, lapsedBefore: NOW } as const;
      const { claimed } = await queue.claim({ ...claim, limit: 10 });
      return claimed.some(({ subject }) => subject.of === "alarm" && subject.alarm.isOver);
    },
    async ends(): Promise<string[]> {
      const { rows } = await pool.query<{ state: string }>("select state from messages where event = 'alarm.clear'");
      return rows.map((row) => row.state);
    },
  };
};

test("the end of an alarm is sent to a person who was notified of the alarm", async () => {
  const alarm = await endedAlarm("delivered", null);
  expect(await alarm.isClaimed()).toBe(true);
});

test.for(["pending", "failed", "dropped"] as const)(
  "nobody is notified of an end after a notice that is %s",
  async (state) => {
    const alarm = await endedAlarm(state, null);
    expect([await alarm.isClaimed(), await alarm.ends()]).toEqual([false, []]);
  },
);

test("the end of an alarm waits for a notice that is being sent, and follows it once it has arrived", async () => {
  const alarm = await endedAlarm("pending", LEASED_UNTIL);
  expect([await alarm.isClaimed(), await alarm.ends()]).toEqual([false, ["pending"]]);
  await alarm.pool.query(
    "update messages set state = 'delivered', ended_at = $1, next_attempt_at = null, leased_until = null where id = 'pnt_1'",
    [NOW],
  );
  expect(await alarm.isClaimed()).toBe(true);
});

test("the end of an alarm is dropped with a notice that did not arrive", async () => {
  const alarm = await endedAlarm("pending", LEASED_UNTIL);
  await alarm.pool.query("update messages set leased_until = null where id = 'pnt_1'");
  expect([await alarm.isClaimed(), await alarm.ends()]).toEqual([false, ["dropped"]]);
});

test("after the upgrade only the ends that nobody was notified of are to be followed", async () => {
  const { pool } = await database(emptyDatabase);
  const migrations = await readMigrations();
  const own = migrations.findIndex(({ name }) => name.endsWith("_ends_follow.sql"));
  await migrate(pool, { known: migrations.slice(0, own) });
  await pool.query(`
    insert into alarms (id, kind, subject, message, raised_at, cleared_at, end_noted) values
      ('alm_noted', 'webhook_failing', '1', '', now(), now(), true),
      ('alm_open', 'webhook_failing', '2', '', now(), now(), false),
      ('alm_stands', 'webhook_failing', '3', '', now(), null, false);
    insert into journal (at, kind, subject) values
      (now(), 'alarm.clear', 'alm_noted'), (now(), 'alarm.clear', 'alm_open'), (now(), 'alarm.raise', 'alm_stands')`);
  await migrate(pool, { known: migrations });
  const { rows } = await pool.query(
    `select kind, subject from ${unseenBy("personal-notices", "journal")} as entries order by seq`,
  );
  expect(rows).toEqual([
    { kind: "alarm.raise", subject: "alm_stands" },
    { kind: "alarm.clear", subject: "alm_open" },
  ]);
});
