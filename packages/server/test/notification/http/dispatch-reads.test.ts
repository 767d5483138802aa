import { createTestDispatch, getDispatch, listDispatches } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf, said, untilHappened } from "../../support/evidence.js";
import { httpClient } from "../../support/http-client.js";
import { type Participant, type Running, running } from "../../support/running.js";

const poll = (of: Participant) => of.call(listDispatches);

// What a participant reads is recorded the first time, before it has the answer.
describe("reading a dispatch", () => {
  let service: Running;
  let anna: Participant;
  let ben: Participant;
  let id: string;

  beforeAll(async () => {
    service = await running();
    [anna, ben] = [await service.newParticipant(), await service.newParticipant()];
  });

  const issued = async (): Promise<void> => {
    id = (await newDispatch(service, await newProgram(service, [anna, ben]))).id;
  };
  // An account that has not read the dispatch yet may be mailed meanwhile.
  const reads = async (of: Participant) =>
    (await evidenceOf(service, id, { account_id: of.accountId })).filter(
      ({ channel, what }) => channel === "rest" && what !== "notified",
    );
  const fetchIt = (of: Participant) => of.call(getDispatch, { params: { id } });

  test("a hundred times is recorded once, and not written again", async () => {
    await issued();
    const first = ahead(service, {});
    await poll(anna);
    await fetchIt(anna);
    service.clock.advance({ seconds: 30 });
    for (let count = 0; count < 50; count++) await Promise.all([poll(anna), fetchIt(anna)]);
    expect((await reads(anna)).map(({ at, what }) => [at, what])).toEqual([
      [first, "fetched"],
      [first, "polled"],
    ]);
    // If it were written again, it would reappear.
    await service.database.pool.query("alter table dispatch_reads disable trigger is_append_only");
    await service.database.pool.query("delete from dispatch_reads where dispatch_id = $1", [id]);
    for (let count = 0; count < 10; count++) await Promise.all([poll(anna), fetchIt(anna)]);
    expect(await reads(anna)).toEqual([]);
  });

  test("counts for the account that read it alone, and creating a test dispatch is no read", async () => {
    await issued();
    await poll(anna);
    await fetchIt(anna);
    expect(await reads(ben)).toEqual([]);
    const body = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    id = (await ben.call(createTestDispatch, { body })).body.id;
    expect(await reads(ben)).toEqual([]);
    expect((await fetchIt(anna)).status).toBe(404);
    expect(said(await evidenceOf(service, id))).toEqual(["rest notified"]);
  });

  test("after a restart, or through a second process, is not recorded again", async () => {
    await issued();
    const first = ahead(service, {});
    await poll(anna);
    service.clock.advance({ seconds: 30 });
    const elsewhere = httpClient(`${await service.another()}/2022-04-15`, { "X-Service-API-Key": anna.key });
    for (let count = 0; count < 2; count++) expect((await elsewhere("GET", "/dispatches")).status).toBe(200);
    expect((await reads(anna)).map(({ at }) => at)).toEqual([first]);
  });

  test("by HEAD leaves its body out, and is no evidence", async () => {
    await issued();
    const headers = { "X-Service-API-Key": anna.key };
    for (const path of ["/dispatches", `/dispatches/${id}`]) {
      const answer = await fetch(`${service.url}/2022-04-15${path}`, { method: "HEAD", headers });
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
    }
    expect(await reads(anna)).toEqual([]);
    await poll(anna);
    expect((await reads(anna)).map(({ what }) => what)).toEqual(["polled"]);
  });

  test("waits a moment for its record, which is then made together with others", async () => {
    await issued();
    const others = await Promise.all(Array.from({ length: 8 }, () => service.newParticipant()));
    id = (await newDispatch(service, await newProgram(service, [anna, ...others]))).id;
    const client = await service.database.pool.connect();
    await client.query("begin; lock table dispatch_reads in exclusive mode");
    const started = performance.now();
    const answers = await Promise.all([anna, ...others].map(poll));
    const tookMs = performance.now() - started;
    await client.query("commit");
    client.release();
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(tookMs).toBeGreaterThan(900);
    await untilHappened(service, id, { happened: "rest polled", count: 9 });
    const transactions = "select distinct xmin::text from dispatch_reads where dispatch_id = $1";
    expect((await service.database.pool.query(transactions, [id])).rowCount).toBeLessThanOrEqual(2);
  });

  test("is answered though it cannot be recorded, and recorded at the next time", async () => {
    await issued();
    await service.database.pool.query("alter table dispatch_reads rename to dispatch_reads_away");
    expect((await poll(anna)).body.dispatches).toContainEqual(expect.objectContaining({ id }));
    expect((await fetchIt(anna)).status).toBe(200);
    await service.database.pool.query("alter table dispatch_reads_away rename to dispatch_reads");
    expect(await reads(anna)).toEqual([]);
    await fetchIt(anna);
    expect((await reads(anna)).map(({ what }) => what)).toEqual(["fetched"]);
  });
});
