import { once } from "node:events";
import { gunzipSync, gzipSync } from "node:zlib";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { firstOf, kwReading, pointsOf, read } from "../../support/metering.js";
import { head, open, sendRaw } from "../../support/raw-request.js";
import { type Participant, type Running, running } from "../../support/running.js";
import { everythingStored } from "../../support/stored.js";

// G73, G10, G48.
const LIMIT = 8192;
const PATH = "/2022-04-15/telemetry";
const PUBLIC_KEY = "public-key-of-these-tests";

let service: Running;
let anna: Participant;
let meterId: string;
let siteId: string;

beforeAll(async () => {
  service = await running({ CURTAIL_MAX_BODY_BYTES: String(LIMIT), CURTAIL_SANDBOX_PUBLIC_KEY: PUBLIC_KEY });
  service.clock.set(new Date("2026-07-01T20:00:00Z"));
  anna = await service.newParticipant();
  ({ siteId, meterId } = firstOf(anna));
});

const send = async (
  body: Buffer | string,
  { path = PATH, key = anna.key, url = service.url, ...headers }: Record<string, string> = {},
) => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "x-service-api-key": key, "content-type": "application/json", "content-encoding": "gzip", ...headers },
    body: typeof body === "string" ? gzipSync(body) : new Uint8Array(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

const minute = (index: number): string => new Date(Date.UTC(2026, 6, 1, 18, index)).toISOString();
const uploadOf = (...kW: number[]): string =>
  JSON.stringify({ telemetry: kW.map((each, index) => kwReading(meterId, minute(index), each, 60)) });

describe("a compressed upload", () => {
  test("is stored like any other, and each answer says that it may be", async () => {
    const answer = await send(uploadOf(1, 2, 3), { "content-encoding": "GZip" });
    expect(answer).toMatchObject({ status: 200, body: { received: 3 } });
    const stored = pointsOf(await read(anna, [siteId], { start_time: minute(-1), end_time: minute(2) }), meterId);
    expect(stored.filter(([at]) => new Date(at).getUTCSeconds() === 0).map(([, kW]) => kW)).toEqual([1, 2, 3]);
    const plain = { "content-encoding": "identity" };
    for (const [body, headers] of [
      [Buffer.from(uploadOf(1)), plain],
      [Buffer.from("{"), plain],
      [uploadOf(1), { key: "wrong" }],
      [uploadOf(1), { "content-encoding": "br" }],
      ['{"controllable_load":[]}', { path: `${PATH}/controllable-load` }],
    ] as const)
      expect((await send(body, headers)).headers.get("accept-encoding")).toBe("gzip");
    expect((await anna.call("GET", "/sites")).headers.get("accept-encoding")).toBeNull();
  });

  test("gets the answer of the same upload as it is, whatever it holds", async () => {
    const value = fc.oneof(fc.double({ min: -1e7, max: 1e7, noNaN: true }), fc.constantFrom(1e9, null, "x"));
    const json = fc.oneof(
      { weight: 4, arbitrary: fc.array(value, { maxLength: 8 }).map((values) => uploadOf(...(values as number[]))) },
      { weight: 1, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
      { weight: 1, arbitrary: fc.constantFrom("", '\uFEFF{"telemetry":[]}', '{"telemetry":[]', "[".repeat(40)) },
    );
    await fc.assert(
      fc.asyncProperty(json, async (body) => {
        const asItIs = await send(Buffer.from(body), { "content-encoding": "identity" });
        const compressed = await send(body);
        expect([compressed.status, compressed.body]).toEqual([asItIs.status, asItIs.body]);
      }),
      { numRuns: propertyRuns(60, { atMost: 200 }) },
    );
  });

  test("that was damaged, cut or lengthened on its way is 400, and nothing of it is stored", async () => {
    const body = uploadOf(...Array.from({ length: 30 }, (_, index) => index / 7));
    const good = gzipSync(body);
    const at = fc.nat(good.length - 1);
    const changed = fc.oneof(
      fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(([index, change]) => {
        const bytes = Buffer.from(good);
        bytes[index] = (bytes[index] ?? 0) ^ change;
        return bytes;
      }),
      at.map((length) => good.subarray(0, length)),
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map((more) => Buffer.concat([good, more])),
      fc.constantFrom(Buffer.concat([good, good]), Buffer.concat([good, Buffer.alloc(8)]), Buffer.from(body)),
    );
    expect((await send(good)).status).toBe(200);
    const before = await everythingStored(service);
    await fc.assert(
      fc.asyncProperty(changed, async (bytes) => {
        const answer = await send(bytes);
        if (answer.status !== 200) {
          expectError(answer, 400, /^the body (was cut|is not)/);
          return;
        }
        // A change of the header, such as its time, is none of the content.
        expect(bytes.length).toBe(good.length);
        expect(gunzipSync(bytes).toString()).toBe(body);
      }),
      { numRuns: propertyRuns(150, { atMost: 400 }) },
    );
    expect(await everythingStored(service)).toEqual(before);
  });
});

describe("what a compressed body unpacks to", () => {
  test("may have the limit of the request, and one byte more is 400 with the limit", async () => {
    expect((await send('{"telemetry":[]}'.padEnd(LIMIT))).status).toBe(200);
    for (const bytes of [LIMIT + 1, 2 * LIMIT, 1000 * LIMIT])
      expectError(await send('{"telemetry":[]}'.padEnd(bytes)), 400, /unpacks to more than 8192 bytes/);
    // Random bytes do not shrink: more than the limit arrives.
    expectError(await send(Buffer.alloc(LIMIT + 1)), 400, /larger than 8192 bytes/);
  });

  test("has the limit of the public key in the sandbox, where it is checked like any other", async () => {
    const sandbox = { url: service.sandboxUrl, key: PUBLIC_KEY };
    expect(await send(uploadOf(1, 2), sandbox)).toMatchObject({ status: 200, body: { received: 2 } });
    expectError(await send('{"telemetry":[]}'.padEnd(2 * LIMIT), sandbox), 400, /unpacks to more than 8192 bytes/);
    const large = await running({ CURTAIL_SANDBOX_PUBLIC_KEY: PUBLIC_KEY });
    const body = '{"telemetry":[]}'.padEnd(2_000_000);
    expectError(
      await send(body, { url: large.sandboxUrl, key: PUBLIC_KEY }),
      400,
      /unpacks to more than 1048576 bytes/,
    );
  });

  test("is counted with the other bodies of its address before it is unpacked, and refused with 429 beside many", async () => {
    const large = await running();
    const { key } = await large.newParticipant();
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const statusOfBomb = async () => (await send(bomb, { url: large.url, key })).status;
    const headers = { connection: "keep-alive", "x-service-api-key": key, "content-type": "application/json" };
    const part = Buffer.alloc(9_000_000, " ");
    const halfBody = async () => {
      const socket = await open(large.url);
      socket.write(head("POST", PATH, { ...headers, "content-length": "10000000" }));
      if (!socket.write(part)) await once(socket, "drain");
      return socket;
    };
    const sockets = await Promise.all(Array.from({ length: 7 }, halfBody));
    const statusBesideThem = async () => {
      const status = await statusOfBomb();
      // It came before the last of them had arrived, and that one was refused.
      if (status !== 429) sockets.push(await halfBody());
      return status;
    };
    await expect.poll(statusBesideThem, { timeout: 10_000 }).toBe(429);
    expectError(await send(bomb, { url: large.url, key }), 429, /67108864 bytes/);
    for (const socket of sockets) socket.destroy();
    await expect.poll(statusOfBomb, { timeout: 10_000 }).toBe(400);
    expectError(await send(bomb, { url: large.url, key }), 400, /unpacks to more than 10485760 bytes/);
  });

  test("in chunks without a length is read too", async () => {
    const body = gzipSync(uploadOf(4));
    const headers = { "x-service-api-key": anna.key, "content-type": "application/json", "content-encoding": "gzip" };
    const request = head("POST", PATH, { ...headers, "transfer-encoding": "chunked" });
    const bytes = Buffer.concat([
      Buffer.from(`${request}${body.length.toString(16)}\r\n`),
      body,
      Buffer.from("\r\n0\r\n\r\n"),
    ]);
    expect(await sendRaw(service.url, bytes)).toMatchObject({ status: 200, body: { received: 1 } });
  });
});
