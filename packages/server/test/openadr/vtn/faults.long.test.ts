import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { type Running, running } from "../../support/running.js";
import { read, requestXml } from "../../support/ven-client.js";
import { listeningToVens, type TestVen } from "../../support/vens.js";

let service: Running;

beforeAll(async () => {
  service = await running();
});

describe("a message of a VEN", () => {
  const MEGABYTE = 1024 * 1024;

  let ven: TestVen;

  beforeAll(async () => {
    const vens = await listeningToVens(service);
    const anna = await service.newParticipant();
    ven = await vens.newVen(anna);
    await newDispatch(service, await newProgram(service, [anna]));
    await ven.poll();
  });

  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join("");
  const good = requestXml({ venId: "ven" });
  const afterDeclaration = (text: string): string => good.replace("?>", `?>${text}`);

  const hostile: ReadonlyArray<readonly [string, string | Buffer]> = [
    ["nothing", ""],
    ["no XML", "curtail now"],
    ["half a message", good.slice(0, 200)],
    ["a DOCTYPE", afterDeclaration("<!DOCTYPE a>")],
    ["an external entity", afterDeclaration('<!DOCTYPE a [<!ENTITY i SYSTEM "file:///etc/passwd">]>')],
    ["a billion laughs", afterDeclaration(`<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}]>`)],
    ["an entity of nobody", good.replace(">ven<", ">&i;<")],
    ["20,000 levels", "<a>".repeat(20_000) + "</a>".repeat(20_000)],
    ["10 MB", Buffer.alloc(10 * MEGABYTE, "<a/>")],
    ["one byte too many", good.padEnd(MEGABYTE / 4 + 1)],
    ["another encoding than it says", Buffer.from(good.replace("request-1", "größe"), "latin1")],
    ["an unknown encoding", good.replace("utf-8", "ebcdic-de")],
    ["an unknown namespace", good.replace("oadr-2.0a/2012/07", "oadr-2.0b/2012/07")],
    ["an unknown message", good.replaceAll("oadrRequestEvent", "oadrPoll")],
    ["a message for VENs", good.replaceAll("oadrRequestEvent", "oadrResponse")],
    ["no venID", good.replace(/<ei:venID>.*<\/ei:venID>/, "")],
  ];

  test.each(hostile)("M1: %s is answered 400 with 454, at once", async (_, body) => {
    const startedMs = performance.now();
    const reply = await ven.post(body);
    // On a busy machine; what takes quadratic time takes minutes.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(reply.status).toBe(400);
    expect(read(reply)).toMatchObject({ kind: "response", response: { responseCode: "454" } });
    expect(reply.text).not.toMatch(/passwd|lol|root:/);
    expect(await ven.events()).toHaveLength(1);
  });

  test("M1: a message of the largest size is read", async () => {
    const body = requestXml({ venId: ven.venId }).padEnd(MEGABYTE / 4);
    expect((await ven.post(body)).status).toBe(200);
  });

  test("M1: many megabytes cost no memory that stays", async () => {
    const body = Buffer.alloc(10 * MEGABYTE, "<a>");
    for (let round = 0; round < 3; round++) await ven.post(body);
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 10; round++) expect((await ven.post(body)).status).toBe(400);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MEGABYTE);
  });

  test("M1: who never ends is cut off", async () => {
    const startedMs = performance.now();
    await expect(ven.post(Buffer.alloc(40 * MEGABYTE, "<a>"))).rejects.toThrow(/ECONNRESET|EPIPE|hang up/);
    // Not only after the connection has been idle for 15 seconds.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(await ven.events()).toHaveLength(1);
  });
});

describe("a fault of ours", () => {
  let ven: TestVen;
  let newVen: () => Promise<TestVen>;

  beforeAll(async () => {
    const vens = await listeningToVens(service);
    const anna = await service.newParticipant();
    newVen = () => vens.newVen(anna);
    ven = await newVen();
    const { id } = await newDispatch(service, await newProgram(service, [anna]));
    await service.made(operator.changeDispatch, {
      params: { id },
      body: {
        start_time: new Date(service.clock.now().getTime() + 60_000).toISOString(),
      },
    });
  });

  const untilServed = () => expect.poll(async () => (await ven.request()).status, { timeout: 15_000 }).toBe(200);

  const shown = async (): Promise<unknown> =>
    (await ven.events()).map(({ descriptor }) => [
      descriptor.eventId,
      descriptor.modificationNumber,
      descriptor.priority,
    ]);

  test("rule 16: without a database a VEN is answered 503, and afterwards the same event as before", async () => {
    const before = await shown();
    expect(before).toHaveLength(1);
    await service.database.cutOff();
    for (let poll = 0; poll < 3; poll++) expect(await ven.request()).toMatchObject({ status: 503, text: "" });
    await service.database.letIn();
    await untilServed();
    expect(await shown()).toEqual(before);
  });

  test("rule 16: a database that does not answer is a 503 within 10 seconds", async () => {
    const before = await shown();
    const unseen = await Promise.all(Array.from({ length: 5 }, () => newVen()));
    const locking = await service.database.pool.connect();
    await locking.query("begin");
    await locking.query("lock table dispatches in access exclusive mode");
    const startedMs = performance.now();
    const replies = await Promise.all(unseen.map((each) => each.request()));
    // The journal answers, and says that nothing changed for those who are in memory.
    expect(await shown()).toEqual(before);
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    await locking.query("rollback");
    locking.release();
    await untilServed();
    expect(await shown()).toEqual(before);
    // What was not sent does not count as shown.
    for (const {
      ven: { id },
    } of unseen)
      expect((await service.made(operator.listVenEvents, { params: { id } })).items).toEqual([]);
  });

  test("what cannot be recorded is not shown: a new event waits, 503, until the database can write again", async () => {
    const { rows } = await service.database.pool.query(
      "with gone as (delete from ven_events where ven = $1 returning 1) select note_change('ven.shown', '') from gone",
      [ven.ven.id],
    );
    expect(rows).toHaveLength(1);
    await service.database.reconnectReadOnly(true);
    expect((await ven.request()).status).toBe(503);
    await service.database.reconnectReadOnly(false);
    await untilServed();
  });

  test("a poll that brings nothing new writes nothing of its own", async () => {
    await ven.poll();
    await service.database.reconnectReadOnly(true);
    await untilServed();
    for (let poll = 0; poll < 5; poll++) await ven.poll();
    await service.database.reconnectReadOnly(false);
  });

  test("when a VEN polled last is noted within seconds", async () => {
    await untilServed();
    service.clock.advance({ seconds: 1 });
    const at = service.clock.now();
    await ven.poll();
    const lastPoll = async (): Promise<unknown> =>
      (await service.database.pool.query("select last_poll_at from vens where id = $1", [ven.ven.id])).rows[0]
        ?.last_poll_at;
    await expect.poll(lastPoll).toEqual(at);
  });
});
