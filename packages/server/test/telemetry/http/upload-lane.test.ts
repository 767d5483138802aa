import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listRequests, operator } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { firstOf, kwReading } from "../../support/metering.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let others: Participant;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ sites: [["main", "roof"]] });
  others = await service.newParticipant({ sites: [["main"]] });
});

/** How a body is sent: with its headers, after them, in two pieces, or so slowly that the framework waits for it. */
type Way = "at once" | "later" | "in pieces" | "slowly";

interface Sent {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly way?: Way;
  readonly url?: string;
}

/** The answer to an upload of this text, without what differs from one to the next. */
const send = (body: string, { key = anna.key, headers = {}, way = "at once", url = service.url }: Sent = {}) =>
  new Promise<{ status: number | undefined; headers: object; remaining: number; text: string }>((resolve, reject) => {
    const own = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
    const sending = request(
      `${url}/2022-04-15/telemetry`,
      { method: "POST", headers: { "x-service-api-key": key, ...own, ...headers } },
      (response) => {
        const pieces: Buffer[] = [];
        response.on("data", (piece: Buffer) => pieces.push(piece));
        response.on("end", () => {
          const { date: _date, "x-ratelimit-remaining": remaining, ...rest } = response.headers;
          const text = Buffer.concat(pieces).toString();
          resolve({ status: response.statusCode, headers: rest, remaining: Number(remaining), text });
        });
      },
    );
    sending.on("error", reject);
    if (way === "at once") return void sending.end(body);
    sending.flushHeaders();
    const half = way === "later" ? 0 : Math.floor(body.length / 2);
    void sleep(10)
      .then(() => half > 0 && sending.write(body.slice(0, half)))
      .then(() => sleep(way === "slowly" ? 400 : 10))
      .then(() => sending.end(body.slice(half)));
  });

/** A form of the type that is left to the framework. */
const BY_FRAMEWORK = { "content-type": "application/json; v=1" };

const bodyOf = (...telemetry: unknown[]): string => JSON.stringify({ telemetry });
const minuteAgo = (minutes: number): string => {
  const now = service.clock.now().getTime();
  return new Date(now - (now % 60_000) - minutes * 60_000).toISOString();
};
const reading = (kW = 1) => kwReading(firstOf(anna).meterId, minuteAgo(1), kW);

const body = fc.oneof(
  fc.array(
    fc.record({
      meter_id: fc.constantFrom(
        () => firstOf(anna).meterId,
        () => firstOf(others).meterId,
        () => "met_none",
      ),
      minutes: fc.constantFrom(1, 2, 3, -10, 1_000_000),
      kW: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(null, "1", 1e9)),
      interval_seconds: fc.constantFrom(30, 60, 31),
    }),
    { maxLength: 4 },
  ),
  fc.constantFrom("", "{}", "[]", '{"telemetry":1}', '{"telemetry":[]} ', '{"telemetry":[{]}', "null", "\u{feff}{}"),
);

describe("small uploads ahead of the framework", () => {
  test("are answered as the framework does, however they arrive", async () => {
    await send(bodyOf(reading()), { headers: BY_FRAMEWORK });
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom<Way>("at once", "later", "in pieces"), async (drawn, way) => {
        const text =
          typeof drawn === "string"
            ? drawn
            : bodyOf(
                ...drawn.map(({ meter_id, minutes, ...rest }) => ({
                  meter_id: meter_id(),
                  timestamp: minuteAgo(minutes),
                  ...rest,
                })),
              );
        const ahead = await send(text, { way });
        const { remaining, ...answer } = await send(text, { headers: BY_FRAMEWORK });
        expect(ahead).toEqual({ ...answer, remaining: remaining + 1 });
      }),
      { numRuns: propertyRuns(60, { atMost: 1000 }) },
    );
  });

  test("are stored, and stand in the request log with their times", async () => {
    const { sites, call, key } = await service.newParticipant({ sites: [["main"]] });
    const meter = sites[0]?.meters[0] ?? "";
    await send(bodyOf(), { key, headers: BY_FRAMEWORK });
    const own = kwReading(meter, minuteAgo(1), 7);
    expect(await send(bodyOf(own), { key })).toMatchObject({ status: 200, text: '{"received":1}' });
    const [site] = (await service.made(operator.getSite, { params: { id: sites[0]?.id ?? "" } })).meters;
    expect(site).toMatchObject({ last_reading: { value: 7 } });
    const logged = async () => (await call(listRequests)).body.items;
    await expect.poll(logged).toMatchObject([{ method: "POST", path: "/2022-04-15/telemetry", status: 200, count: 2 }]);
  });

  test("are refused at once with a key that was revoked, disabled or never given", async () => {
    const { key, keyId, accountId } = await service.newParticipant({ sites: [["main"]] });
    for (const each of ["first", "ahead"]) expect(await send(bodyOf(), { key }), each).toMatchObject({ status: 200 });
    await service.made(operator.changeAccount, { params: { id: accountId }, body: { disabled: true } });
    expect(await send(bodyOf(), { key })).toMatchObject({ status: 401 });
    await service.made(operator.changeAccount, { params: { id: accountId }, body: { disabled: false } });
    expect(await send(bodyOf(), { key })).toMatchObject({ status: 200 });
    await service.made(operator.revokeKey, { params: { id: keyId } });
    expect(await send(bodyOf(), { key })).toMatchObject({ status: 401 });
    expect(await send(bodyOf(), { key: "none" })).toMatchObject({ status: 401 });
  });

  test("get 500 while the database is away, and 200 once it is back, over the same connections", async () => {
    expect(await send(bodyOf(reading()))).toMatchObject({ status: 200 });
    await service.database.cutOff();
    expect(await send(bodyOf(reading(2)))).toMatchObject({ status: 500, headers: { "retry-after": "6" } });
    await service.database.letIn();
    await expect.poll(async () => (await send(bodyOf(reading(3)))).status).toBe(200);
  });

  test("count against the rate of their key once, refused or not", async () => {
    const limited = await running({ CURTAIL_RATE_LIMIT: "6" });
    const { key } = await limited.newParticipant({ sites: [["main"]] });
    const own = { key, url: limited.url };
    const statuses: unknown[] = [];
    for (const text of [bodyOf(), bodyOf(), "{}", bodyOf(), bodyOf(reading()), bodyOf(), bodyOf(), bodyOf()])
      statuses.push((await send(text, own)).status);
    expect(statuses).toEqual([200, 200, 400, 200, 400, 200, 429, 429]);
  });

  test("that arrive slowly, or never whole, are waited for by the framework", async () => {
    expect(await send(bodyOf(reading(5)), { way: "slowly" })).toMatchObject({ status: 200, text: '{"received":1}' });

    const sending = request(`${service.url}/2022-04-15/telemetry`, {
      method: "POST",
      headers: { "x-service-api-key": anna.key, "content-type": "application/json", "content-length": "40" },
    });
    const broken = new Promise((resolve) => sending.once("error", resolve));
    sending.write('{"telemetry":');
    await sleep(400);
    sending.destroy();
    await broken;
    expect(await send(bodyOf(reading()))).toMatchObject({ status: 200 });
  });
});
