import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandWriter } from "../../src/devices/command.js";
import { CsvTail } from "../../src/devices/csv-tail.js";
import { httpReader } from "../../src/devices/http.js";
import { numberIn } from "../../src/devices/number-text.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "curtail-agent-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["12.5", null, { value: 12.5 }],
  [" -3\n", null, { value: -3 }],
  ['{"emeters":[{"power":7}]}', "emeters[0].power", { value: 7 }],
  ['{"state":"41.5"}', "state", { value: 41.5 }],
  ["unavailable", null, { fault: '"unavailable" is not a number' }],
  ["", null, { fault: '"" is not a number' }],
  ["NaN", null, { fault: '"NaN" is not a number' }],
  ['{"power":null}', "power", { fault: '"null" is not a number' }],
  ['{"power":true}', "power", { fault: '"true" is not a number' }],
  ['{"a":1}', "power", { fault: "has no power" }],
  ['{"a":1}', "constructor.name", { fault: "has no constructor.name" }],
  ["{", "power", { fault: '"{" is not JSON' }],
])("%j at %s is %j", (text, path, expected) => {
  expect(numberIn(text, path)).toEqual(expected);
});

const tailOf = (file: string, time: string | null = "time"): CsvTail =>
  new CsvTail({ file: join(folder, file), column: "kw", time, delimiter: "," });

test("lines that are added to a file are read once, whole lines only", async () => {
  const file = join(folder, "grows.csv");
  await writeFile(file, "time,kw\n2026-07-01T12:00:00Z,1\n");
  const tail = tailOf("grows.csv");
  expect((await tail.read()).values).toEqual([{ value: 1, atMs: Date.UTC(2026, 6, 1, 12) }]);
  await appendFile(file, "2026-07-01T14:01:00+02:00,2\n2026-07-01T12:0");
  expect((await tail.read()).values).toEqual([{ value: 2, atMs: Date.UTC(2026, 6, 1, 12, 1) }]);
  await appendFile(file, "2:00Z,3\n");
  expect((await tail.read()).values.map(({ value }) => value)).toEqual([3]);
  expect(await tail.read()).toEqual({ values: [], fault: null });
});

test("a file that was replaced is read from its beginning", async () => {
  const file = join(folder, "replaced.csv");
  await writeFile(file, "time,kw\n2026-07-01T12:00:00Z,1\n2026-07-01T12:01:00Z,2\n");
  const tail = tailOf("replaced.csv");
  await tail.read();
  await rm(file);
  expect((await tail.read()).fault).toContain("ENOENT");
  await writeFile(file, "kw,time\n5,2026-07-01T13:00:00Z\n");
  expect((await tail.read()).values).toEqual([{ value: 5, atMs: Date.UTC(2026, 6, 1, 13) }]);
});

test("a line that cannot be read is a fault, and no value", async () => {
  await writeFile(
    join(folder, "bad.csv"),
    "time,kw\n2026-07-01T12:00:00Z,1\n2026-07-01 12:01,2\n2026-07-01T12:02:00Z,\n",
  );
  const { values, fault } = await tailOf("bad.csv").read();
  expect(values).toHaveLength(1);
  expect(fault).toBe('"" is not a number');
  await writeFile(join(folder, "other.csv"), "a,b\n1,2\n");
  expect((await tailOf("other.csv").read()).fault).toContain("has no column kw");
});

test("without a column of times only the newest line counts", async () => {
  await writeFile(join(folder, "plain.csv"), "kw\n1\n2\n3\n");
  expect((await tailOf("plain.csv", null).read()).values).toEqual([{ value: 3, atMs: null }]);
});

test("a value is fetched by HTTP; failures are faults", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/slow") return;
    response
      .writeHead(request.url === "/power" ? 200 : 404)
      .end(JSON.stringify({ power: request.headers["x-token"] ?? 5 }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const source = { url: `${url}/power`, path: "power", headers: {}, timeoutMs: 10_000 };
  const [plain, withHeader, missing, slow] = await httpReader.read([
    source,
    { ...source, headers: { "x-token": "7" } },
    { ...source, url: `${url}/none` },
    { ...source, url: `${url}/slow`, timeoutMs: 200 },
  ]);
  expect([plain, withHeader]).toEqual([{ value: 5 }, { value: 7 }]);
  expect(missing).toEqual({ fault: `${url}/none returned 404` });
  expect(slow).toHaveProperty("fault");
  server.close();
  server.closeAllConnections();
  await once(server, "close");
  expect(await httpReader.read([source])).toEqual([{ fault: expect.stringMatching(/ECONN|closed/) }]);
});

const context = {
  site: "site_1",
  output: "relay",
  phase: "curtailing",
  cause: "dispatch",
  dispatches: ["dis_1"],
  commitmentKw: 40,
};
const node = (script: string, timeoutMs = 10_000) => ({ file: process.execPath, args: ["-e", script], timeoutMs });

test("a command gets the value as JSON on its standard input", async () => {
  const file = join(folder, "command.json");
  const copy = `process.stdin.pipe(require("fs").createWriteStream(${JSON.stringify(file)}))`;
  await commandWriter.write(node(copy), 30, context);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    value: 30,
    site: "site_1",
    output: "relay",
    phase: "curtailing",
    cause: "dispatch",
    dispatches: ["dis_1"],
    commitment_kw: 40,
  });
});

test("a command that fails, that takes too long or that is not there is a failed write", async () => {
  await expect(commandWriter.write(node('console.error("no relay"); process.exit(3)'), 1, context)).rejects.toThrow(
    "ended with 3: no relay",
  );
  await expect(commandWriter.write(node("setTimeout(() => {}, 60000)", 300), 1, context)).rejects.toThrow("ran longer");
  const missing = { file: join(folder, "missing"), args: [], timeoutMs: 1_000 };
  await expect(commandWriter.write(missing, 1, context)).rejects.toThrow("ENOENT");
});
