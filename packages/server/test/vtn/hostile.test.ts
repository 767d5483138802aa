import { beforeAll, expect, test } from "vitest";
import { newDispatch, newProgram } from "../support/dispatching.js";
import { type Running, running } from "../support/running.js";
import { read, requestXml } from "../support/ven-client.js";
import { listeningToVens, type TestVen } from "../support/vens.js";

const MEGABYTE = 1024 * 1024;

let service: Running;
let ven: TestVen;

beforeAll(async () => {
  service = await running();
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
  expect(performance.now() - startedMs).toBeLessThan(2000);
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
  await expect(ven.post(Buffer.alloc(40 * MEGABYTE, "<a>"))).rejects.toThrow(/ECONNRESET|EPIPE|hang up/);
  expect(await ven.events()).toHaveLength(1);
});
