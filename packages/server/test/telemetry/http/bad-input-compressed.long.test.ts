import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { PATH, prepare, send, uploadOf } from "../../support/compressed-upload.js";
import { expectError } from "../../support/expect-error.js";
import { head, open } from "../../support/raw-request.js";
import { running } from "../../support/running.js";

beforeAll(prepare);

describe("a compressed upload", () => {
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
});

describe("what a compressed body unpacks to", () => {
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
    await expect.poll(statusBesideThem).toBe(429);
    expectError(await send(bomb, { url: large.url, key }), 429, /67108864 bytes/);
    for (const socket of sockets) socket.destroy();
    await expect.poll(statusOfBomb).toBe(400);
    expectError(await send(bomb, { url: large.url, key }), 400, /unpacks to more than 10485760 bytes/);
  });
});
