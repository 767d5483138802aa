import { createHash } from "node:crypto";
import { createScenario, createTestDispatch, listScenarios } from "@curtail/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { rotateAll } from "../../../src/app/commands/rotate-secrets.js";
import { removeOldAnswers } from "../../../src/platform/database/kept-answer-store.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient } from "../../support/http-client.js";
import {
  anna,
  dispatchCount,
  expectOnce,
  isReplayed,
  issue,
  newKey,
  prepare,
  prepareEach,
  service,
  testTimes,
  under,
} from "../../support/idempotency.js";
import { newBrowser } from "../../support/people.js";
import { OPERATOR_TOKEN } from "../../support/running.js";
import { newPlayer, scenarioOf } from "../../support/scenario.js";

beforeAll(prepare);

beforeEach(prepareEach);

describe("an operator's POST with an Idempotency-Key", () => {
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
});

describe("a participant's POST with an Idempotency-Key", () => {
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
