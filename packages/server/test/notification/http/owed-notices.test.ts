import { getDispatch, listDispatches, operator } from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { lookOnce } from "../../support/owed.js";
import {
  change,
  created,
  inbox,
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

/** For SQL. */
const certificates = ({ accountId }: Participant): string =>
  `ven_certificates where ven in (select id from vens where account_id = '${accountId}')`;

describe("an account without a channel for the event is mailed at once", () => {
  test("if it has no webhook and no VEN, and does not poll", async () => {
    const { programId } = await reachable();
    const { id } = await newDispatch(service, programId);
    await mailed(id, created);
    expect(inbox.received.filter(({ content }) => content.includes(id))).toHaveLength(1);
  });

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

  test("at the notification, not before, and once for all changes before it", async () => {
    const { programId } = await reachable();
    const { id } = await newDispatch(service, programId, { notification_time: ahead(service, { minutes: 30 }) });
    await change(id, { end_time: ahead(service, { hours: 3 }) });
    service.clock.advance({ minutes: 29 });
    await notMailed(id);
    service.clock.advance({ minutes: 1 });
    await mailed(id, created);
  });
});

describe("an account with a channel has 60 s", () => {
  test("to take a notice at its webhook; then it is mailed, once, though the webhook fails for good later", async () => {
    const { participant, programId } = await reachable();
    const hook = await receiver();
    await subscribe(participant, hook);
    hook.answer = 503;
    const { id } = await newDispatch(service, programId);
    await recorded(service, id, 1);
    for (const [index, seconds] of [3, 8, 23].entries()) {
      service.clock.advance({ seconds });
      await recorded(service, id, index + 2);
    }
    service.clock.advance({ seconds: 25 });
    await notMailed(id);
    service.clock.advance({ seconds: 1 });
    await mailed(id, created);
    service.clock.advance({ seconds: 60 });
    await recorded(service, id, 5);
    await lookOnce(service);
    expect(await states(id)).toEqual([created]);
  });

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

  test("nor after a poll or a fetch that carried the dispatch", async () => {
    const [anna, ben] = [await reachable(), await reachable()];
    const program = await newProgram(service, [anna.participant, ben.participant]);
    for (const { participant } of [anna, ben]) {
      const hook = await receiver();
      await subscribe(participant, hook);
      hook.answer = 503;
    }
    const { id } = await newDispatch(service, program);
    await recorded(service, id, 2);
    await anna.participant.call(listDispatches);
    await ben.participant.call(getDispatch, { params: { id } });
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
    const { rows } = await service.database.pool.query("select account_id from mails where dispatch_id = $1", [id]);
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

describe("two processes over one database", () => {
  test("mail what is owed once", async () => {
    await service.another();
    const program = await newProgram(
      service,
      await Promise.all(Array.from({ length: 8 }, async () => (await reachable()).participant)),
    );
    const { id } = await newDispatch(service, program);
    await poll(() => states(id), Array(8).fill(created));
    expect(inbox.received.filter(({ content }) => content.includes(id))).toHaveLength(8);
  });
});
