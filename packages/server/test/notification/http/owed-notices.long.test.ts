import { createTestDispatch, deleteWebhook, listDispatches, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { lookOnce } from "../../support/owed.js";
import {
  change,
  created,
  mailed,
  notMailed,
  prepare,
  reachable,
  service,
  states,
  updated,
  vens,
} from "../../support/owed-notices.js";
import { recorded } from "../../support/recorded.js";
import type { Participant } from "../../support/running.js";
import { poll, subscribe } from "../../support/unreachable.js";
import { createdXml } from "../../support/ven-client.js";

beforeAll(prepare);

/** Registers a webhook for these events; returns its id. */
const register = async ({ call }: Participant, url: string, events: readonly string[]): Promise<string> =>
  (await call("POST", "/webhooks", { url, events: events.map((name) => ({ name })) })).body.id;

describe("an account without a channel for the event is mailed at once", () => {
  test("if its last webhook was deleted before the dispatch", async () => {
    const { participant, programId } = await reachable();
    const webhookId = await subscribe(participant, await receiver());
    await participant.call(deleteWebhook, { params: { id: webhookId } });
    const { id } = await newDispatch(service, programId);
    await mailed(id, created);
  });

  test("if its webhook is deleted after the dispatch, before it was notified", async () => {
    const { participant, programId } = await reachable();
    const hook = await receiver();
    const webhookId = await subscribe(participant, hook);
    hook.answer = 503;
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 1);
    await notMailed(id);
    await participant.call(deleteWebhook, { params: { id: webhookId } });
    await mailed(id, created);
  });

  test("if the certificate of its only VEN is revoked, or the VEN deleted, before it acknowledged", async () => {
    for (const lose of ["certificate", "ven"] as const) {
      const { participant, programId } = await reachable();
      const { ven, credentials } = await vens.newVen(participant);
      const { id } = await newDispatch(service, programId);
      await notMailed(id);
      const params = { id: ven.id, fingerprint: credentials.fingerprint };
      if (lose === "certificate") await service.made(operator.revokeVenCertificate, { params });
      else await service.made(operator.deleteVen, { params });
      await mailed(id, created);
    }
  });

  test("if its webhook subscribes only to changes, or only to new dispatches", async () => {
    const { participant, programId } = await reachable();
    const [changes, creations] = [await receiver(), await receiver()];
    await register(participant, changes.url, ["dispatch.update"]);
    const { id } = await newDispatch(service, programId);
    await mailed(id, created);
    const other = await reachable();
    await register(other.participant, creations.url, ["dispatch.create"]);
    const { id: second } = await newDispatch(service, other.programId);
    await creations.notices(1);
    await recorded(service, second, 1);
    await change(second, { authorized: false });
    await mailed(second, updated);
  });

  test("if its only VEN receives other sites", async () => {
    const participant = await service.newParticipant({ sites: [["a"], ["b"]] });
    const [first, second] = participant.sites.map((site) => site.id);
    await service.made(operator.createContact, {
      params: { id: participant.accountId },
      body: { name: "Anna", email: "a@mills.example" },
    });
    await vens.newVen(participant, { sites: [second] });
    const programId = await newProgram(service, [participant]);
    const { id } = await newDispatch(service, programId, { sites: [{ site_id: first ?? "" }] });
    await mailed(id, created);
  });
});

const savedPolls = (accountId: string, seconds: number) =>
  expect
    .poll(
      async () => {
        const sql = "select interval_seconds from account_polls where account_id = $1";
        return (await service.database.pool.query(sql, [accountId])).rows[0]?.interval_seconds;
      },
      { timeout: 15_000 },
    )
    .toBe(seconds);

/** Polls several times at this interval, and waits until it is recorded. */
const polls = async ({ call, accountId }: Participant, seconds: number): Promise<void> => {
  for (let count = 0; count < 6; count++) {
    service.clock.advance({ seconds });
    await call(listDispatches);
  }
  await savedPolls(accountId, seconds);
};

describe("an account that polls has three of its usual intervals", () => {
  test("more than 60 s where it polls seldom", async () => {
    const { participant, programId } = await reachable();
    await polls(participant, 40);
    const { id } = await newDispatch(service, programId);
    service.clock.advance({ seconds: 119 });
    await notMailed(id);
    service.clock.advance({ seconds: 1 });
    await mailed(id, created);
  });

  test("but no more than 5 minutes", async () => {
    const { participant, programId } = await reachable();
    await polls(participant, 200);
    const { id } = await newDispatch(service, programId);
    service.clock.advance({ seconds: 299 });
    await notMailed(id);
    service.clock.advance({ seconds: 1 });
    await mailed(id, created);
  });

  test("also after a restart", async () => {
    const { participant, programId } = await reachable();
    await polls(participant, 50);
    await service.another();
    const { id } = await newDispatch(service, programId);
    service.clock.advance({ seconds: 149 });
    await notMailed(id);
    service.clock.advance({ seconds: 1 });
    await mailed(id, created);
  });
});

describe("nothing is owed", () => {
  test("for a participant's own test, nor for a change of it", async () => {
    const { participant } = await reachable();
    const hours = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const { id } = (await participant.call(createTestDispatch, { body: hours })).body;
    await change(id, { authorized: false });
    service.clock.advance({ minutes: 6 });
    await notMailed(id);
  });

  test("for a dispatch that is over for a day, which a start after a long pause finds", async () => {
    const { programId } = await reachable();
    const over = async (hours: number): Promise<string> => {
      const times = { start_time: ahead(service, { hours: -30 }), end_time: ahead(service, { hours: -hours }) };
      const { id } = await newDispatch(service, programId, times);
      // As a service that was stopped left it: notified before its end.
      await service.database.pool.query(
        `insert into notices (dispatch_id, event, modification_number, due_at, owed_look_at)
         values ($1, 'dispatch.create', 0, $2, $2)`,
        [id, service.clock.now()],
      );
      return id;
    };
    await notMailed(await over(25));
    const recent = await over(23);
    await lookOnce(service);
    await mailed(recent, created);
  });

  test("for a dispatch that was over when it was created", async () => {
    const { programId } = await reachable();
    const times = { start_time: ahead(service, { hours: -2 }), end_time: ahead(service, { seconds: -1 }) };
    const { id } = await newDispatch(service, programId, times);
    service.clock.advance({ minutes: 6 });
    await notMailed(id);
  });

  test("for a dispatch cancelled before its notification", async () => {
    const { programId } = await reachable();
    const { id } = await newDispatch(service, programId, { notification_time: ahead(service, { minutes: 30 }) });
    await change(id, { authorized: false });
    service.clock.advance({ minutes: 40 });
    await notMailed(id);
  });
});

/** For SQL. */
const certificates = ({ accountId }: Participant): string =>
  `ven_certificates where ven in (select id from vens where account_id = '${accountId}')`;

describe("an account without a channel for the event is mailed at once", () => {
  test("if its only VEN has no certificate, a revoked or an expired one", async () => {
    const [none, revoked, expired] = [await reachable(), await reachable(), await reachable()];
    await vens.newVen(none.participant);
    const withRevoked = await vens.newVen(revoked.participant);
    await vens.newVen(expired.participant);
    await service.database.pool.query(`delete from ${certificates(none.participant)}`);
    await service.made(operator.revokeVenCertificate, {
      params: { id: withRevoked.ven.id, fingerprint: withRevoked.credentials.fingerprint },
    });
    await service.database.pool.query(
      `update ven_certificates set expires_at = $1 where fingerprint in (select fingerprint from ${certificates(expired.participant)})`,
      [service.clock.now()],
    );
    for (const { programId } of [none, revoked, expired]) {
      const { id } = await newDispatch(service, programId);
      await mailed(id, created);
    }
  });

  test("though it uploads: using a key is not polling", async () => {
    const { participant, programId } = await reachable();
    const meter_id = participant.sites[0]?.meters[0];
    const reading = { meter_id, timestamp: ahead(service, {}), interval_seconds: 30, kW: 1 };
    expect((await participant.call("POST", "/telemetry", { telemetry: [reading] })).status).toBe(200);
    const { id } = await newDispatch(service, programId);
    await mailed(id, created);
  });
});

describe("an account with a channel has 60 s", () => {
  test("to acknowledge by its VEN, that has been silent", async () => {
    const { participant, programId } = await reachable();
    await vens.newVen(participant);
    const { id } = await newDispatch(service, programId);
    service.clock.advance({ seconds: 59 });
    await notMailed(id);
    service.clock.advance({ seconds: 1 });
    await mailed(id, created);
  });

  test("and owes nothing more after a 2xx of any of its webhooks", async () => {
    const { participant, programId } = await reachable();
    const [good, bad] = [await receiver(), await receiver()];
    for (const hook of [good, bad]) await subscribe(participant, hook);
    bad.answer = 503;
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 2);
    service.clock.advance({ seconds: 61 });
    await notMailed(id);
  });

  test("nor after a VEN's acknowledgement, but after one with an error, or after a poll alone", async () => {
    const [good, refusing, mute] = [await reachable(), await reachable(), await reachable()];
    const program = await newProgram(service, [good.participant, refusing.participant, mute.participant]);
    const [goodVen, refusingVen, muteVen] = [
      await vens.newVen(good.participant),
      await vens.newVen(refusing.participant),
      await vens.newVen(mute.participant),
    ];
    const { id } = await newDispatch(service, program);
    await goodVen.answer(await goodVen.events());
    const refusal = createdXml(refusingVen.venId, await refusingVen.events(), {});
    await refusingVen.post(refusal.replaceAll(">200<", ">400<"));
    await muteVen.events();
    service.clock.advance({ seconds: 61 });
    await poll(() => states(id), [created, created]);
    const { rows } = await service.database.pool.query(
      "select account_id from messages where subject = $1 and channel = 'email'",
      [id],
    );
    expect(new Set(rows.map((row) => row.account_id))).toEqual(
      new Set([refusing.participant.accountId, mute.participant.accountId]),
    );
  });

  test("for each change: having read the previous state is not enough", async () => {
    const { participant, programId } = await reachable();
    const hook = await receiver();
    await subscribe(participant, hook);
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 1);
    await participant.call(listDispatches);
    hook.answer = 503;
    await change(id, { authorized: false });
    await recorded(service, id, 2);
    service.clock.advance({ seconds: 61 });
    await mailed(id, updated);
  });
});
