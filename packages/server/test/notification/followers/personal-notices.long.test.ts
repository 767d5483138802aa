import { type Mailbox, mailbox } from "@curtail/testing/mailbox";
import { beforeAll, expect, test } from "vitest";
import { PERSONAL_NOTICES } from "../../../src/notification/followers/personal-notices.js";
import { alarmStore } from "../../../src/oversight/storage/alarm-store.js";
import { caughtUp } from "../../support/caught-up.js";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { KILL_POINTS, killedAt } from "../../support/killing-followers.js";
import { choose } from "../../support/noticing.js";
import { newBrowser } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

let inbox: Mailbox;
let service: Running;
beforeAll(async () => {
  inbox = await mailbox();
  service = await running({ CURTAIL_SMTP_URL: `${inbox.url}?from=dispatch@operator.example` });
  await service.another();
});

const DISPATCHES = 12;

const noticesOf = async (accountId: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query<{ dispatch_id: string }>(
    "select subject as dispatch_id from messages where user_id is not null and account_id = $1 order by subject",
    [accountId],
  );
  return rows.map((row) => row.dispatch_id);
};

test.for(KILL_POINTS)(
  "a person is notified once of each dispatch, if processes are killed %s",
  { timeout: 60_000 },
  async (point) => {
    const participant = await service.newParticipant();
    const person = await newBrowser(service, "participant-viewer", participant.accountId);
    await choose(person, { dispatches: { mail: true, push: false } });
    const program = await newProgram(service, [participant]);
    const dispatched: string[] = [];
    await killedAt(service.database, { point, effectOn: "messages" }, async () => {
      for (let number = 0; number < DISPATCHES; number++) dispatched.push((await newDispatch(service, program)).id);
      await expect.poll(async () => (await noticesOf(participant.accountId)).length).toBeGreaterThan(0);
    });
    await expect
      .poll(async () => {
        service.clock.advance({ seconds: 1 });
        await caughtUp(service.database.pool, PERSONAL_NOTICES);
        return noticesOf(participant.accountId);
      })
      .toEqual(dispatched.toSorted());
  },
);

/** Alarms that a person was notified of, which end by themselves at the next look of a service. */
const notifiedAlarms = async (userId: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query<{ id: string }>(
    `with raised as (
       insert into alarms (id, kind, subject, message, raised_at)
       select 'alm_' || $1 || n, 'webhook_failing', $1 || n, '', now() from generate_series(1, 6) as n returning id
     )
     insert into messages (id, channel, recipient, user_id, subject, event, detail, state, created_at, ended_at)
     select 'pnt_' || id, 'personal_mail', $1, $1, id, 'alarm.raise', '{"name": "Person"}', 'delivered', now(), now()
     from raised returning subject as id`,
    [userId],
  );
  return rows.map(({ id }) => id);
};

const endsOf = async (userId: string): Promise<string[]> => {
  const { rows } = await service.database.pool.query<{ alarm_id: string }>(
    "select subject as alarm_id from messages where user_id = $1 and event = 'alarm.clear' order by subject",
    [userId],
  );
  return rows.map((row) => row.alarm_id);
};

test.for(KILL_POINTS)(
  "a person is notified once of the end of each alarm, if processes are killed %s",
  { timeout: 60_000 },
  async (point) => {
    const person = await newBrowser(service, "operator");
    await choose(person, { alarms: { mail: true, push: false } });
    const ids = await notifiedAlarms(person.id);
    await killedAt(service.database, { point, effectOn: "messages" }, async () => {
      for (const id of ids) await alarmStore(service.database.servicePool).clear([id], service.clock.now());
      await expect.poll(async () => (await endsOf(person.id)).length).toBeGreaterThan(0);
    });
    await expect
      .poll(async () => {
        service.clock.advance({ seconds: 1 });
        await caughtUp(service.database.pool, PERSONAL_NOTICES);
        return endsOf(person.id);
      })
      .toEqual(ids.toSorted());
  },
);
