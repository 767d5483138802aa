import { createHash } from "node:crypto";
import {
  createScenario,
  createTestDispatch,
  createWebhook,
  listDispatches,
  listScenarios,
  operator as operatorContract,
} from "@curtail/contract";
import { receiver } from "@curtail/testing/receiver";
import { wireProgram } from "@curtail/testing/wire-forms";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rotateAll } from "../../../src/app/rotate-secrets.js";
import { removeOldAnswers } from "../../../src/platform/database/kept-answer-store.js";
import { ahead, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Answer, httpClient } from "../../support/http-client.js";
import { newBrowser, newPerson } from "../../support/people.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";
import { newPlayer, scenarioOf } from "../../support/scenario.js";

// G57: a request with an Idempotency-Key is carried out once.
let service: Running;
let anna: Participant;
let programId: string;

beforeAll(async () => {
  service = await running();
});

beforeEach(async () => {
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
});

let keys = 0;
const newKey = (): string => `key-${++keys}`;
const under = (key: string) => ({ "idempotency-key": key });

const dispatchBody = () => ({ program_id: programId, start_time: ahead(service, { hours: 1 }), test: false });

const issue = (key: string, body: object = dispatchBody()): Promise<Answer> =>
  service.operator("POST", "/dispatches", body, under(key));

const testTimes = () => ({ start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) });

const isReplayed = ({ headers }: Answer): boolean => headers.get("idempotency-replayed") === "true";

const dispatchCount = async (): Promise<number> => {
  const { items } = (await service.operator(operatorContract.listAllDispatches, { query: { program_id: programId } }))
    .body;
  return items.length;
};

/** Sends it twice and expects the first answer again. */
const expectOnce = async (send: () => Promise<Answer>): Promise<Answer> => {
  const [first, second] = [await send(), await send()];
  expect(first.status, first.text).toBeLessThan(300);
  expect(isReplayed(first)).toBe(false);
  expect(isReplayed(second)).toBe(true);
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  return first;
};

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

  test("is answered 429 where the one before takes longer than 5 seconds", async () => {
    const key = newKey();
    const client = await service.database.pool.connect();
    await client.query("begin");
    const id = createHash("sha256").update(`operator\n/operator/v1/dispatches\n${key}`).digest("hex");
    await client.query("insert into kept_answers values ($1, 'operator', '', now(), null)", [id]);
    const refused = await issue(key);
    expectError(refused, 429, /is still being processed; wait 5 seconds/);
    expect(refused.headers.get("retry-after")).toBe("5");
    await client.query("rollback");
    client.release();
    expect((await issue(key)).status).toBe(201);
  }, 15_000);

  test("is carried out again after 24 hours", async () => {
    const key = newKey();
    await issue(key);
    service.clock.advance({ hours: 24 });
    expect(isReplayed(await issue(key))).toBe(false);
    expect(await dispatchCount()).toBe(2);
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
  test("is sealed, and read again after the secrets were rotated", async () => {
    const key = newKey();
    const path = `/accounts/${anna.accountId}/keys`;
    const send = () => service.operator("POST", path, { environment: "production" }, under(key));
    const { text, body } = await expectOnce(send);
    const { pool } = service.database;
    const { rows } = await pool.query("select answer from kept_answers where answer is not null");
    expect(rows.every(({ answer }) => answer.startsWith("enc1:"))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(body.claim_url.split("/").at(-1));
    await rotateAll(pool, { dataDir: service.dataDir, secretsKeys: null });
    const other = httpClient(`${await service.another()}/operator/v1`, { authorization: `Bearer ${OPERATOR_TOKEN}` });
    const again = await other("POST", path, { environment: "production" }, under(key));
    expect([again.text, isReplayed(again)]).toEqual([text, true]);
  });

  test("is removed after a day, or earlier if its holder has too many", async () => {
    const { pool } = service.database;
    const at = service.clock.now();
    await pool.query("delete from kept_answers");
    const insert = "insert into kept_answers (id, holder, request_hash, claimed_at, answer)";
    await pool.query(
      `${insert} select 'many ' || n, 'key:many', '', $1::timestamptz + n * interval '1 ms', 'x' from generate_series(1, 10001) n`,
      [at],
    );
    await pool.query(
      `${insert} select 'large ' || n, 'key:large', '', $1::timestamptz + n * interval '1 ms', text from generate_series(1, 4) n,
       (select string_agg(md5(random()::text), '') as text from generate_series(1, 300000)) as t`,
      [at],
    );
    await pool.query(`${insert} values ('old', 'operator', '', $1, 'x'), ('new', 'operator', '', $2, 'x')`, [
      new Date(at.getTime() - 1),
      at,
    ]);
    await removeOldAnswers(service.database.servicePool, { now: at, before: new Date(at.getTime() - 1) });
    const { rows } = await pool.query(
      `select holder, count(*), min(claimed_at) as oldest from kept_answers group by holder order by holder`,
    );
    const later = (ms: number) => new Date(at.getTime() + ms);
    expect(rows).toEqual([
      { holder: "key:large", count: 3, oldest: later(2) },
      { holder: "key:many", count: 10_000, oldest: later(2) },
      { holder: "operator", count: 1, oldest: at },
    ]);
  });

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

  test("starts one scenario in the sandbox, and one test dispatch", async () => {
    const { call } = await newPlayer(service);
    const body = scenarioOf(service, "basic");
    const [first, second] = [newKey(), newKey()];
    await expectOnce(() => call(createScenario, { body, headers: under(first) }));
    expect((await call(listScenarios)).body.scenarios).toHaveLength(1);
    const times = testTimes();
    await expectOnce(() => call(createTestDispatch, { body: times, headers: under(second) }));
    expect((await call(listScenarios)).body.scenarios).toHaveLength(2);
  });

  test("that fails halfway in the sandbox starts no scenario", async () => {
    const { call } = await newPlayer(service);
    const { pool } = service.database;
    await pool.query("alter table sandbox.kept_answers add constraint fails check (answer is null) not valid");
    expectError(await call(createScenario, { body: scenarioOf(service, "basic"), headers: under(newKey()) }), 500);
    await pool.query("alter table sandbox.kept_answers drop constraint fails");
    expect((await call(listScenarios)).body.scenarios).toEqual([]);
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

describe("a person's POST with an Idempotency-Key", () => {
  test("makes one of everything in the console", async () => {
    const pat = await newBrowser(service, "participant-admin", anna.accountId);
    const times = testTimes();
    const posts: ReadonlyArray<readonly [path: string, body?: object]> = [
      ["/dispatches", times],
      ["/keys", { environment: "production" }],
      ["/contacts", { name: "C", email: "c@example.com" }],
      ["/users", { email: `${newKey()}@example.com`, name: "U", role: "participant-viewer" }],
    ];
    for (const [path, body] of posts) {
      const key = newKey();
      await expectOnce(() => pat.console("POST", path, body, under(key)));
    }
  });
});
