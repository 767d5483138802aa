import { EventEmitter, once } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_OPEN_BODIES, MAX_OPEN_BYTES, OpenBodies } from "../../../src/platform/http/open-bodies.js";
import { expectError } from "../../support/expect-error.js";
import { head, open, sendRaw, untilClosed } from "../../support/raw-request.js";
import { OPERATOR_TOKEN, type Participant, type Running, running } from "../../support/running.js";

const KEYLESS = 16_384;
const USUAL = 262_144;
const PUBLIC = 1_048_576;
const MEGABYTE = 1_048_576;

let service: Running;
let anna: Participant;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant();
});

const json = { "content-type": "application/json" };
const ofBytes = (bytes: number, start = '{"telemetry":[]}'): string => start.padEnd(bytes);

const post = async (url: string, body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { method: "POST", redirect: "manual", headers: { ...json, ...headers }, body });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
};

describe("B19: a body may have (G48)", () => {
  test.for(["/claim/x", "/claim/ven/x", "/invitation/x", "/first-user/x", "/auth/sign-in"])(
    "16 KB without a key, at %s",
    async (path) => {
      const atLimit = await post(service.url + path, ofBytes(KEYLESS, "{}"));
      expect(atLimit.body.message).not.toMatch(/bytes/);
      expectError(await post(service.url + path, ofBytes(KEYLESS + 1, "{}")), 400, /16384 bytes/);
    },
  );

  test.for(["/", "/2022-04-15", "/2022-04-15/", "/telemetry", "/dispatches"])(
    "16 KB where it is sent elsewhere, at %s",
    async (path) => {
      expect((await post(service.url + path, ofBytes(KEYLESS))).status).toBe(308);
      expectError(await post(service.url + path, ofBytes(KEYLESS + 1)), 400, /16384 bytes/);
    },
  );

  test("256 KB with a key, a token or a session, where it is no upload", async () => {
    const key = { "x-service-api-key": anna.key };
    const token = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    for (const [path, headers] of [
      ["/2022-04-15/dispatches", key],
      ["/2022-04-15/webhooks", key],
      ["/operator/v1/accounts", token],
    ] as const) {
      expectError(await post(service.url + path, ofBytes(USUAL, "{}"), headers), 400, /must be given/);
      expectError(await post(service.url + path, ofBytes(USUAL + 1, "{}"), headers), 400, /262144 bytes/);
    }
  });

  test("4 MB where the operator names very many sites", async () => {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    for (const [path, missing] of [
      ["/import", /csv is missing/],
      ["/dispatches", /program_id is missing/],
      ["/dispatches/preview", /program_id is missing/],
    ] as const) {
      const url = `${service.url}/operator/v1${path}`;
      expectError(await post(url, ofBytes(4 * MEGABYTE, "{}"), headers), 400, missing);
      expectError(await post(url, ofBytes(4 * MEGABYTE + 1, "{}"), headers), 400, /4194304 bytes/);
    }
  });

  test("1 MB in uploads with the sandbox's public key, and as much as is set with an account's", async () => {
    for (const path of ["/telemetry", "/telemetry/controllable-load"]) {
      const body = (bytes: number) => ofBytes(bytes, '{"telemetry":[],"controllable_load":[]}');
      expect((await service.publicCall("POST", path, body(USUAL))).status).toBe(200);
      expectError(await service.publicCall("POST", path, body(PUBLIC + 1)), 400, /1048576 bytes/);
    }
    expectError(await service.publicCall("POST", "/scenarios", ofBytes(USUAL + 1, "{}")), 400, /262144 bytes/);
    const reading = {
      meter_id: anna.sites[0]?.meters[0],
      interval_seconds: 30,
      timestamp: "2020-01-01T00:00:30Z",
      kW: 1,
    };
    const list = `{"telemetry":[${Array.from({ length: 20 }, () => JSON.stringify(reading).padEnd(60_000)).join(",")}]}`;
    expect((await anna.call("POST", "/telemetry", list)).text).not.toMatch(/bytes/);
    expectError(await service.publicCall("POST", "/telemetry", list), 400, /1048576 bytes/);
  });
});

test("B19: what surrounds the list of an upload has 256 KB at most, white space after it included, in all uploads", async () => {
  const reading = JSON.stringify({
    meter_id: anna.sites[0]?.meters[0],
    interval_seconds: 30,
    timestamp: "2020-01-01T00:00:30Z",
    kW: 1,
  });
  for (const [path, body] of [
    ["/telemetry", '{"telemetry":[]}'],
    ["/telemetry", `{"telemetry":[${reading}]}`],
    ["/telemetry", `{"note":"","telemetry":[${reading}]}`],
    ["/telemetry/controllable-load", '{"controllable_load":[]}'],
  ] as const) {
    const most = await anna.call("POST", path, body + " ".repeat(USUAL - 100));
    expect(most.body, most.text).not.toMatchObject({ message: expect.stringMatching(/bytes besides/) });
    expectError(await anna.call("POST", path, body + " ".repeat(USUAL + 1)), 400, /more than 262144 bytes besides/);
  }
});

describe("B30: a large body that is refused", () => {
  const whole = ofBytes(8 * MEGABYTE);
  const requests: Array<[string, Record<string, string>, number, RegExp]> = [
    ["without a good key", { "x-service-api-key": "wrong" }, 401, /Permission denied/],
    ["of another type", { "content-type": "text/plain" }, 400, /application\/json/],
    ["compressed", { "content-encoding": "br" }, 400, /uncompressed/],
  ];

  test.for(requests)("%s is answered to a client that writes all of it first", async ([, headers, status, message]) => {
    const path = "/2022-04-15/telemetry";
    const all = { "x-service-api-key": anna.key, ...json, "content-length": String(whole.length), ...headers };
    const socket = await open(service.url);
    socket.pause();
    socket.write(head("POST", path, { connection: "keep-alive", ...all }));
    if (!socket.write(whole)) await once(socket, "drain");
    const answer = await untilClosed(socket.resume());
    expectError(answer, status as 400, message);
    expect(answer.head).toContain("connection: close");
  });

  test.for(requests)("%s is answered to fetch", async ([, headers, status, message]) => {
    const all = { "x-service-api-key": anna.key, ...headers };
    expectError(await post(`${service.url}/2022-04-15/telemetry`, whole, all), status as 400, message);
  });

  test("too long is answered to both", async () => {
    const long = ofBytes(12 * MEGABYTE);
    const headers = { "x-service-api-key": anna.key };
    expectError(await post(`${service.url}/2022-04-15/telemetry`, long, headers), 400, /10485760 bytes/);
    const all = { ...headers, ...json, "content-length": String(long.length) };
    const answer = await sendRaw(service.url, head("POST", "/2022-04-15/telemetry", all) + long);
    expectError(answer, 400, /10485760 bytes/);
  });

  test("is answered before any of it is sent, and the connection does not stay open for it", async () => {
    const headers = { ...json, "x-service-api-key": "wrong", connection: "keep-alive", "content-length": "10000000" };
    const answer = await sendRaw(service.url, head("POST", "/2022-04-15/telemetry", headers));
    expectError(answer, 401);
    expect(answer.seconds).toBeLessThan(10);
  });

  test("is answered uncompressed: a compressed answer would be held back until the body is read", async () => {
    const headers = { ...json, "x-service-api-key": "wrong", "accept-encoding": "gzip", "content-length": "10000000" };
    const socket = await open(service.url);
    socket.write(`${head("POST", "/2022-04-15/telemetry", headers)}{`);
    const [first] = await once(socket, "data");
    socket.destroy();
    expect(String(first)).toMatch(/^content-length: \d+\r$/im);
    expect(String(first)).toMatch(/"message":"Permission denied/);
  });
});

const halfSent = (contentLength: number): string =>
  head("POST", "/2022-04-15/telemetry", {
    connection: "keep-alive",
    "x-service-api-key": anna.key,
    ...json,
    "content-length": String(contentLength),
  });

/** Opens connections that each send part of a body; resolves when the service has received it. */
const halves = async (count: number, bytes: number) => {
  const part = Buffer.alloc(bytes, " ");
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = await open(service.url);
      socket.write(halfSent(10_000_000));
      if (!socket.write(part)) await once(socket, "drain");
      return socket;
    }),
  );
};

const isRefused = async (): Promise<boolean> => {
  const socket = await open(service.url);
  socket.write(`${halfSent(100_000)}{`);
  const first = await Promise.race([
    once(socket, "data").then(([data]) => String(data)),
    new Promise<string>((resolve) => setTimeout(() => resolve(""), 300)),
  ]);
  socket.destroy();
  return /429/.test(first);
};

describe("B31: bodies that are under way from one address", () => {
  test("are bounded in number, and then refused with 429; others go on, and it is over with them", async () => {
    const sockets = await halves(MAX_OPEN_BODIES, 1);
    await expect.poll(isRefused).toBe(true);
    const others = [await anna.call("GET", "/sites"), await anna.call("POST", "/telemetry", { telemetry: [] })];
    for (const socket of sockets) socket.destroy();
    for (const { status } of others) expect(status).toBe(200);
    await expect.poll(isRefused).toBe(false);
  });

  test("are counted by the network of an IPv6 customer, whose addresses are without number", async () => {
    const bodies = new OpenBodies();
    const hold = (ip: string) =>
      bodies.hold({ ip, headers: {} } as FastifyRequest, { raw: new EventEmitter() } as unknown as FastifyReply);
    for (let index = 0; index < MAX_OPEN_BODIES; index++) hold(`2001:db8:1:2::${index + 1}`);
    expect(() => hold("2001:db8:1:2:ffff::1")).toThrow(/at the same time/);
    expect(() => hold("2001:db8:1:3::1")).not.toThrow();
  });

  test("are bounded in bytes", async () => {
    const sockets = await halves(8, Math.floor(MAX_OPEN_BYTES / 8) + 1);
    const closed = await Promise.race(sockets.map(untilClosed));
    expectError(closed, 429, /67108864 bytes/);
    for (const socket of sockets) socket.destroy();
    await expect.poll(isRefused).toBe(false);
  });
});
