import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { sendTimed } from "../../support/event-loop.js";
import { expectError } from "../../support/expect-error.js";
import { head, open, sendRaw, untilClosed } from "../../support/raw-request.js";
import { type Participant, type Running, running } from "../../support/running.js";

const LIMIT = 4096;
const MEGABYTE = 1_048_576;
const PATH = "/2022-04-15/telemetry";

let small: Running;
let usual: Running;
let anna: Participant;
let bert: Participant;

beforeAll(async () => {
  small = await running({ CURTAIL_MAX_BODY_BYTES: String(LIMIT), CURTAIL_MAX_READINGS: "20" });
  usual = await running();
  anna = await small.newParticipant();
  bert = await usual.newParticipant();
});

const json = { "content-type": "application/json" };
const headOf = (headers: Record<string, string>): string =>
  // Kept alive, so that it is the service that closes the connection.
  head("POST", PATH, { connection: "keep-alive", "x-service-api-key": anna.key, ...json, ...headers });
const chunk = (bytes: number): string => `${bytes.toString(16)}\r\n${" ".repeat(bytes)}\r\n`;
const ofBytes = (bytes: number): string => '{"telemetry":[]}'.padEnd(bytes);
const readings = (count: number, of: Participant, clock: Running["clock"], change: object = {}) => ({
  telemetry: Array.from({ length: count }, () => ({
    interval_seconds: 60,
    meter_id: of.sites[0]?.meters[0],
    timestamp: clock.now().toISOString(),
    kW: 1,
    ...change,
  })),
});

const nested = (levels: number): string => `${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}`;
const many = (change: object = {}, last: object = change): string => {
  const { telemetry } = readings(49_999, bert, usual.clock, change);
  return JSON.stringify({ telemetry: [...telemetry, { ...telemetry[0], ...last }] });
};

describe("a body", () => {
  test("B19: of exactly the limit is taken, one byte more is 400 with the limit", async () => {
    expect((await anna.call("POST", "/telemetry", ofBytes(LIMIT))).status).toBe(200);
    expectError(await anna.call("POST", "/telemetry", ofBytes(LIMIT + 1)), 400, new RegExp(String(LIMIT)));
  });

  test("B19: one byte over the limit closes the connection", async () => {
    const answer = await sendRaw(small.url, headOf({ "content-length": String(LIMIT + 1) }) + ofBytes(LIMIT + 1));
    expectError(answer, 400, /4096/);
  });

  test("B19: in chunks without a length is cut at the limit", async () => {
    const chunked = headOf({ "transfer-encoding": "chunked" });
    expectError(await sendRaw(small.url, chunked + chunk(LIMIT) + chunk(1)), 400, /4096/);
  });

  test("B19: that never ends is not read on", async () => {
    const socket = await open(small.url);
    const closed = untilClosed(socket);
    const megabyte = chunk(MEGABYTE);
    let sentBytes = 0;
    socket.write(headOf({ "transfer-encoding": "chunked" }));
    while (!socket.destroyed && sentBytes < 256 * MEGABYTE) {
      sentBytes += megabyte.length;
      if (!socket.write(megabyte))
        await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
    }
    await closed;
    // What the system's buffers take, and no more.
    expect(sentBytes).toBeLessThan(64 * MEGABYTE);
  });

  test("B19: announced with 10 GB is 400 before a byte of it is sent", async () => {
    expectError(await sendRaw(small.url, headOf({ "content-length": "10000000000" })), 400, /4096/);
  });

  test("B20: that is compressed is 400, whatever it holds, unless it is an upload by gzip (G73)", async () => {
    const good = gzipSync(ofBytes(100));
    const bomb = gzipSync(Buffer.alloc(2 * MEGABYTE));
    for (const body of [good, bomb])
      for (const [path, encoding] of [
        ...["deflate", "br", "zstd", "x-gzip", "gzip, gzip"].map((each) => ["/telemetry", each] as const),
        ["/telemetry/controllable-load", "br"],
        ["/dispatches", "gzip"],
        ["/webhooks", "GZIP"],
      ] as const) {
        const headers = { "x-service-api-key": anna.key, ...json, "content-encoding": encoding };
        const response = await fetch(`${small.url}/2022-04-15${path}`, { method: "POST", headers, body });
        expectError({ status: response.status, body: await response.json() }, 400, /uncompressed/);
      }
    expectError(await anna.call("POST", "/telemetry", good.toString("latin1")), 400);
  });

  test("B20: with Content-Encoding identity is taken", async () => {
    const answer = await anna.call("POST", "/telemetry", ofBytes(100), { "content-encoding": "identity" });
    expect(answer.status).toBe(200);
  });

  test("nested a million deep is 400", async () => {
    const deep = `{"telemetry":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
    expectError(await bert.call("POST", "/telemetry", deep), 400, /more than 32 levels/);
    expectError(await bert.call("POST", "/telemetry", '{"a":'.repeat(1_000_000)), 400, /more than 32 levels/);
    expectError(await bert.call("POST", "/telemetry", deep.replace("[[", '["\\u0041",[')), 400, /32 levels/);
  });

  test("of 32 levels is taken, one more is 400, in uploads as elsewhere (G48)", async () => {
    for (const path of ["/telemetry", "/telemetry/controllable-load", "/dispatches"]) {
      const list = path === "/telemetry" ? "telemetry" : "controllable_load";
      expectError(await bert.call("POST", path, `{"${list}":[],"x":${nested(33)}}`), 400, /more than 32 levels/);
      const taken = await bert.call("POST", path, `{"${list}":[],"x":${nested(32)}}`);
      if (path === "/dispatches") expectError(taken, 400, /start_time is missing/);
      else expect(taken.status).toBe(200);
    }
  });

  test("with a NUL deep inside is 400 naming the place, in few words", async () => {
    const name = "n".repeat(250);
    const deep = `{"telemetry":[],${`"${name}":{`.repeat(29)}"${name}":"\\u0000"${"}".repeat(30)}`;
    const answer = await bert.call("POST", "/telemetry", deep);
    expectError(answer, 400, /U\+0000/);
    expect(answer.text.length).toBeLessThan(4200);
    const inList = '{"telemetry":[{},{},{"meter_id":"\\u0000"}]}';
    expectError(await bert.call("POST", "/telemetry", inList), 400, /^telemetry\[2\]\.meter_id contains/);
  });

  test("with a name of 257 characters is 400, of 256 it is read", async () => {
    for (const path of ["/telemetry", "/dispatches"]) {
      expectError(await bert.call("POST", path, `{"${"n".repeat(257)}":1}`), 400, /more than 256 bytes/);
      expectError(await bert.call("POST", path, `{"${"n".repeat(256)}":1}`), 400, /missing/);
    }
  });

  test("of two million members is 400, whatever escapes it holds", async () => {
    const long = `[${"1,".repeat(2_000_000)}"\\u0041"]`;
    expectError(await bert.call("POST", "/telemetry", `{"telemetry":${long}}`), 400);
    expectError(await bert.call("POST", "/telemetry", long.replace("A", "0")), 400);
    expectError(await bert.call("POST", "/telemetry", `{"telemetry":[],"note":${long}}`), 400, /262144 bytes besides/);
    const short = `[${"1,".repeat(100_000)}"\\u0041"]`;
    const { status } = await bert.call("POST", "/telemetry", `{"telemetry":[],"note":${short}}`);
    expect(status).toBe(200);
  });
});

describe("I26: an upload", () => {
  test("of more readings than the limit is 400 with the limit, and stores nothing", async () => {
    expect((await anna.call("POST", "/telemetry", readings(20, anna, small.clock))).status).toBe(200);
    expectError(await anna.call("POST", "/telemetry", readings(21, anna, small.clock)), 400, /more than 20 readings/);
  });

  test("of 50,001 readings, 100,001 readings or more than 10 MiB is 400, each with its limit", async () => {
    expectError(
      await bert.call("POST", "/telemetry", readings(50_001, bert, usual.clock)),
      400,
      /more than 50000 readings/,
    );
    expectError(
      await bert.call("POST", "/telemetry", readings(100_001, bert, usual.clock)),
      400,
      /more than 50000 readings/,
    );
    expectError(await bert.call("POST", "/telemetry", readings(110_000, bert, usual.clock)), 400, /10485760 bytes/);
    expect((await usual.database.pool.query("select from telemetry_hours")).rows).toHaveLength(0);
  });

  test("of 50,000 bad readings is refused without a long message or a long wait", async () => {
    for (const change of [{ kW: null, interval_seconds: 45 }, { timestamp: "now" }, { meter_id: "\u0000" }]) {
      const started = performance.now();
      const answer = await bert.call("POST", "/telemetry", readings(50_000, bert, usual.clock, change));
      expectError(answer, 400);
      expect(answer.text.length).toBeLessThan(5000);
      expect(performance.now() - started).toBeLessThan(10_000);
    }
  });

  const MOST_BLOCKED_MS = 50;
  const large: Array<[string, () => string, number]> = [
    ["of 50,000 readings", () => many(), 200],
    ["of 50,000 readings that are no plain JSON", () => many({ note: "é" }), 200],
    ["of 50,000 readings, the last of them bad", () => many({}, { kW: "1" }), 400],
    ["of 50,000 readings in the future", () => many({ timestamp: "2199-01-01T00:00:00Z" }), 400],
    ["of 50,000 readings without a power", () => many({ kW: undefined }), 400],
    ["of three million empty readings", () => `{"telemetry":[${"{},".repeat(3_300_000)}{}]}`, 400],
    ["of three million empty objects without a list", () => `[${"{},".repeat(3_300_000)}{}]`, 400],
    ["of readings of 60 KB", () => `{"telemetry":[${`{"note":[${"[],".repeat(20_000)}[]]},`.repeat(160)}{}]}`, 400],
    ["of one reading of 10 MB", () => `{"telemetry":[{"note":[${"[],".repeat(3_300_000)}[]]}]}`, 400],
    ["of ten million brackets", () => "[".repeat(10_000_000), 400],
  ];

  test.for(large)("%s makes nobody else wait", { timeout: 60_000 }, async ([, body, status]) => {
    const headers = { "x-service-api-key": bert.key };
    const answer = await sendTimed(usual.url + PATH, { method: "POST", headers, body: body() }, MOST_BLOCKED_MS);
    expect(answer.status, answer.text.slice(0, 300)).toBe(status);
    expect(answer.blockedMs).toBeLessThan(MOST_BLOCKED_MS);
  });

  test.for(large)("%s that is compressed makes nobody else wait", { timeout: 60_000 }, async ([, body, status]) => {
    const request = {
      method: "POST",
      headers: { "x-service-api-key": bert.key, "content-encoding": "gzip" },
      body: gzipSync(body()),
    };
    const answer = await sendTimed(usual.url + PATH, request, MOST_BLOCKED_MS);
    expect(answer.status, answer.text.slice(0, 300)).toBe(status);
    expect(answer.blockedMs).toBeLessThan(MOST_BLOCKED_MS);
  });
});
