import {
  createScenario,
  createTestDispatch,
  createWebhook,
  listDispatches,
  operator as operatorContract,
} from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ahead } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import {
  anna,
  dispatchBody,
  dispatchCount,
  expectOnce,
  isReplayed,
  issue,
  newKey,
  prepare,
  prepareEach,
  programId,
  service,
  testTimes,
  under,
} from "../../support/idempotency.js";
import { newBrowser, newPerson } from "../../support/people.js";
import { OPERATOR_TOKEN } from "../../support/running.js";
import { scenarioOf } from "../../support/scenario.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("an operator's POST with an Idempotency-Key", () => {
  test("that is sent again is answered as before, and issues no second dispatch", async () => {
    const key = newKey();
    const body = dispatchBody();
    const { status } = await expectOnce(() => issue(key, body));
    expect(status).toBe(201);
    const reordered = Object.fromEntries(Object.entries(body).toReversed());
    expect(isReplayed(await issue(key, { ...reordered, notification_time: null }))).toBe(true);
    expect(await dispatchCount()).toBe(1);
  });

  test("and another body is refused and says so", async () => {
    const key = newKey();
    await issue(key);
    expectError(
      await issue(key, { ...dispatchBody(), test: true }),
      400,
      /Idempotency-Key was used for another request/,
    );
    expect(await dispatchCount()).toBe(1);
  });

  test("that comes 20 times at once through two services issues one dispatch", async () => {
    const [key, body] = [newKey(), dispatchBody()];
    const other = httpClient(`${await service.another()}/operator/v1`, { authorization: `Bearer ${OPERATOR_TOKEN}` });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? issue(key, body) : other("POST", "/dispatches", body, under(key)),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(isReplayed)).toHaveLength(19);
    expect(await dispatchCount()).toBe(1);
  });

  test("that is refused is not kept: corrected, it goes under the same key", async () => {
    const key = newKey();
    expectError(await issue(key, { ...dispatchBody(), end_time: ahead(service, {}) }), 400);
    expect((await issue(key)).status).toBe(201);
  });

  test("that fails halfway leaves nothing, and is carried out when it is sent again", async () => {
    const { pool } = service.database;
    const [key, body] = [newKey(), dispatchBody()];
    await pool.query("alter table kept_answers add constraint fails check (answer is null) not valid");
    expectError(await issue(key, body), 500);
    expect(await dispatchCount()).toBe(0);
    await pool.query("alter table kept_answers drop constraint fails");
    expect((await issue(key, body)).status).toBe(201);
    expect(await dispatchCount()).toBe(1);
  });

  test("says what a key must be if it is invalid", async () => {
    expect((await issue("k".repeat(200))).status).toBe(201);
    for (const key of ["k".repeat(201), "two words", "", "tab\there", "k\u00e9y"])
      expectError(await issue(key), 400, /Idempotency-Key must be 1 to 200 visible ASCII characters/);
    expect(await dispatchCount()).toBe(1);
  });

  test("is another's where another address or person has the key", async () => {
    const key = newKey();
    const { id } = (await issue(key)).body;
    const account = await service.operator(operatorContract.createAccount, {
      body: { name: "Another" },
      headers: under(key),
    });
    expect(account.status).toBe(201);
    const ann = await newBrowser(service, "operator");
    const asPerson = await ann.operator(operatorContract.createDispatch, { body: dispatchBody(), headers: under(key) });
    expect(asPerson.status).toBe(201);
    expect(asPerson.body.id).not.toBe(id);
  });

  test("is heeded by every operation but the preview, which changes nothing", () => {
    const heedless = operatorContract.operatorEndpoints.filter((each) => each.method === "POST" && !("once" in each));
    expect(heedless.map(({ id }) => id)).toEqual(["previewDispatch"]);
  });

  test("makes one of everything", async () => {
    const { accountId, sites } = anna;
    const [siteId] = sites.map(({ id }) => id);
    const header = "account,site,customer_location_id,dispatch_group,timezone,meter,asset_type";
    const csv = `${header}\nImported,Main,,,,m1,load\n`;
    const { id: userId } = await newPerson(service, "participant-viewer", accountId);
    const hook = await receiver();
    const events = [{ name: "dispatch.create" as const }];
    const webhookId = (await anna.call(createWebhook, { body: { url: hook.url, events } })).body.id;
    const sandbox = await service.sandboxCall(anna);
    const rehearsalId = (await sandbox("POST", "/webhooks", { url: hook.url, events })).body.id;
    const ven = { ven_id: `ven-${newKey()}` };
    const posts: ReadonlyArray<readonly [path: string, body?: object]> = [
      ["/accounts", { name: "Ben" }],
      [`/accounts/${accountId}/sites`, { name: "S", meters: [{ name: "m" }] }],
      [`/sites/${siteId}/meters`, { name: "m2" }],
      [`/accounts/${accountId}/contacts`, { name: "C", email: "c@example.com" }],
      [`/accounts/${accountId}/vens`, ven],
      [`/accounts/${accountId}/mapping-profiles`, { name: "P", mapping: { delimiter: ";" } }],
      ["/programs", wireProgram({ name: "P" })],
      ["/users", { email: `${newKey()}@example.com`, name: "U", role: "operator" }],
      ["/import", { csv, dry_run: false }],
      [`/sites/${siteId}/verification`, { program_id: programId }],
      [`/accounts/${accountId}/tests/cancel`],
      [`/users/${userId}/invitation`],
      [`/users/${userId}/sign-out`],
      [`/webhooks/${webhookId}/rotate-secret`],
      [`/webhooks/${rehearsalId}/rotate-secret?environment=sandbox`],
    ];
    for (const [path, body] of posts) {
      const key = newKey();
      await expectOnce(() => service.operator("POST", path, body, under(key)));
    }
    const certifying = (await service.operator(operatorContract.listVens, { params: { id: accountId } })).body.items;
    const key = newKey();
    await expectOnce(() =>
      service.operator(operatorContract.certifyVen, {
        params: { id: certifying[0]?.id ?? "" },
        body: {},
        headers: under(key),
      }),
    );
    expect(certifying).toHaveLength(1);
    expect(
      (await service.operator(operatorContract.listAccountSites, { params: { id: accountId } })).body.items,
    ).toHaveLength(2);
  });
});

describe("an answer that is kept", () => {
  test("is none without the header", async () => {
    await service.database.pool.query("delete from kept_answers");
    await service.made(operatorContract.createDispatch, { body: dispatchBody() });
    expect((await service.database.pool.query("select from kept_answers")).rowCount).toBe(0);
  });
});

describe("the test request of a webhook", () => {
  test("is sent once for a key", async () => {
    const hook = await receiver();
    const { id } = (await anna.call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } }))
      .body;
    const before = hook.received.length;
    const key = newKey();
    await expectOnce(() => service.operator(operatorContract.testWebhook, { params: { id }, headers: under(key) }));
    expect(hook.received.length).toBe(before + 1);
  });

  test("is refused with 409 if the outcome of the first one is unknown", async () => {
    const hook = await receiver();
    const { id } = (await anna.call(createWebhook, { body: { url: hook.url, events: [{ name: "dispatch.create" }] } }))
      .body;
    const key = newKey();
    const send = () => service.operator(operatorContract.testWebhook, { params: { id }, headers: under(key) });
    await send();
    // As left by a process that is killed during the test request.
    await service.database.pool.query("update kept_answers set answer = null");
    expectError(await send(), 409, /unfinished or was interrupted, and may have taken effect/);
    expectError(
      await service.operator(operatorContract.testWebhook, { params: { id: "wh_none" }, headers: under(key) }),
      404,
    );
    expectError(
      await service.operator(operatorContract.testWebhook, { params: { id: "wh_none" }, headers: under(key) }),
      404,
    );
  });
});

describe("a participant's POST with an Idempotency-Key", () => {
  test("makes one test dispatch, and counts once", async () => {
    const body = testTimes();
    const key = newKey();
    const { body: made } = await expectOnce(() => anna.call(createTestDispatch, { body, headers: under(key) }));
    expectError(
      await anna.call(createTestDispatch, {
        body: { ...body, end_time: ahead(service, { hours: 3 }) },
        headers: under(key),
      }),
      400,
    );
    const { dispatches } = (await anna.call(listDispatches)).body;
    expect(dispatches.map(({ id }) => id)).toEqual([made.id]);
  });

  test("is not answered with what another account was", async () => {
    const ben = await service.newParticipant();
    const [key, body] = [newKey(), testTimes()];
    const first = await anna.call(createTestDispatch, { body, headers: under(key) });
    const other = await ben.call(createTestDispatch, { body, headers: under(key) });
    expect([isReplayed(other), other.body.id === first.body.id]).toEqual([false, false]);
  });

  test("is ignored if many people share the key", async () => {
    const body = scenarioOf(service, "basic");
    const key = newKey();
    const send = () => service.publicCall(createScenario, { body, headers: under(key) });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, isReplayed(second)]).toEqual([200, 200, false]);
    expect(second.body.id).not.toBe(first.body.id);
  });
});
