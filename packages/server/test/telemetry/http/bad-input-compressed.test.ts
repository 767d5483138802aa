import { gunzipSync, gzipSync } from "node:zlib";
import { propertyRuns } from "@curtail/testing/property-runs";
import { testOffLog } from "@curtail/testing/with-log";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  anna,
  LIMIT,
  meterId,
  minute,
  PATH,
  PUBLIC_KEY,
  prepare,
  send,
  service,
  siteId,
  uploadOf,
} from "../../support/compressed-upload.js";
import { expectError } from "../../support/expect-error.js";
import { pointsOf, read } from "../../support/metering.js";
import { head, sendRaw } from "../../support/raw-request.js";
import { running } from "../../support/running.js";
import { everythingStored } from "../../support/stored.js";

beforeAll(prepare);

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

  testOffLog("counts rows after what is stored once more")(
    "that was damaged, cut or lengthened on its way is 400, and nothing of it is stored",
    async () => {
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
        { numRuns: propertyRuns(50, { atMost: 400 }) },
      );
      expect(await everythingStored(service)).toEqual(before);
    },
  );
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
