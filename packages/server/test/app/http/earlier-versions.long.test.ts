import { gzipSync } from "node:zlib";
import {
  createTestDispatch,
  createWebhook,
  getDispatch,
  listDispatches,
  listRequests,
  listSites,
  listWebhooks,
  operator,
  readTelemetry,
} from "@curtail/contract";
import { type Receiver, receiver } from "@curtail/testing/receiver";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { Numbers, previousCall } from "../../support/both-versions.js";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { evidenceOf, said, untilHappened } from "../../support/evidence.js";
import { expectError } from "../../support/expect-error.js";
import { httpClient, type Send } from "../../support/http-client.js";
import { claimedKey, type Participant, type Running, running } from "../../support/running.js";

const EARLIER = { CURTAIL_EARLIER_VERSIONS: "2020-12-30" };
const EVENTS = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];

let service: Running;
let anna: Participant;
let previous: Send;
let program: string;

beforeAll(async () => {
  service = await running(EARLIER);
  anna = await service.newParticipant({ sites: [["main", "solar"], ["main"]] });
  previous = previousCall(service.url, anna.key);
  program = await newProgram(service, [anna]);
});

/** Which numbers the sites and meters of an account have. */
const numbersOf = async (participant: Participant, call: Send): Promise<Numbers> => {
  const numbers = new Numbers();
  numbers.compare((await participant.call(listSites)).body, (await call("GET", "/facilities")).body);
  return numbers;
};

const [siteId, meterId] = [() => anna.sites[0]?.id ?? "", () => anna.sites[0]?.meters[0] ?? ""];

// Specification, "Versioning", 4 to 6.
describe("2020-12-30 over the store of the current version", () => {
  test("has each of the twelve operations, with the same answers in its names and numbers", async () => {
    const numbers = await numbersOf(anna, previous);
    const [facility, meter] = [numbers.of(siteId()), numbers.of(meterId())];
    const { id } = await newDispatch(service, program, { metadata: { site_id: "site_1" } });
    numbers.compare((await anna.call(listDispatches)).body, (await previous("GET", "/dispatches")).body);
    const one = await previous("GET", `/dispatches/${numbers.of(id)}`);
    numbers.compare((await anna.call(getDispatch, { params: { id } })).body, one.body);
    expect(one.body.metadata).toEqual({ site_id: "site_1" });

    const now = ahead(service, {});
    const reading = { interval_seconds: 60, timestamp: now };
    const sent = await previous("POST", "/telemetry", {
      telemetry: [
        { ...reading, meter_id: meter, kW: 7 },
        { ...reading, facility_id: numbers.of(anna.sites[1]?.id), value: 9, units: "kW" },
      ],
    });
    expect([sent.status, sent.body]).toEqual([200, { received: 2 }]);
    const load = { ...reading, facility_id: facility, units: "kW", value: 5 };
    const controllable = await previous("POST", "/telemetry/controllable-load", { controllable_load: [load] });
    expect([controllable.status, controllable.body]).toEqual([200, { received: 1 }]);
    const times = { start_time: ahead(service, { hours: -1 }), end_time: ahead(service, { hours: 1 }) };
    const ids = anna.sites.map((site) => site.id);
    const current = await anna.call(readTelemetry, { query: { site_id: ids, ...times } });
    const asked = ids.map((each) => `facility_id=${numbers.of(each)}`).join("&");
    const read = await previous("GET", `/telemetry/kw?${asked}&${new URLSearchParams(times).toString()}`);
    numbers.compare(current.body, read.body);
    expect(read.body.data.facilities[0].meters[0].telemetry.map(({ value }: { value: number }) => value)).toEqual([
      7, 7,
    ]);

    const block = { available: false, start_time: ahead(service, { days: 2 }), end_time: ahead(service, { days: 3 }) };
    const blocked = await previous("POST", `/schedule/facilities/${facility}`, block);
    expect([blocked.status, blocked.body]).toEqual([200, { facility_id: facility, ...block }]);

    const tested = await previous("POST", "/dispatches", {
      start_time: ahead(service, { hours: 4 }),
      end_time: ahead(service, { hours: 5 }),
      program_id: numbers.of(program),
    });
    expect(tested.status).toBe(200);
    numbers.compare((await anna.call(listDispatches)).body, (await previous("GET", "/dispatches")).body);
    expect(tested.body).toEqual((await previous("GET", `/dispatches/${tested.body.id}`)).body);

    const hook = await receiver();
    const made = await previous("POST", "/webhooks", { url: hook.url, events: EVENTS });
    expect(made.status).toBe(200);
    const listed = await previous("GET", "/webhooks");
    numbers.compare((await anna.call(listWebhooks)).body, listed.body);
    expect(listed.body.webhooks).toContainEqual(made.body);
    const deleted = await previous("DELETE", `/webhooks/${made.body.id}`);
    expect([deleted.status, deleted.body]).toEqual([200, made.body]);
    expect((await anna.call(listWebhooks)).body.webhooks).toEqual([]);
    expectError(await previous("DELETE", `/webhooks/${made.body.id}`), 404, /No such webhook/);
    // Scenarios are of the sandbox.
    expectError(await previous("POST", "/scenarios", {}), 404, /2020-12-30 has nothing at this address/);
  });

  test("names its own members and numbers in what it refuses", async () => {
    const numbers = await numbersOf(anna, previous);
    const reading = { interval_seconds: 60, timestamp: ahead(service, {}), kW: 1 };
    const refused = async (sent: object, message: RegExp) =>
      expectError(await previous("POST", "/telemetry", { telemetry: [{ ...reading, ...sent }] }), 400, message);
    await refused(
      { facility_id: numbers.of(siteId()) },
      /telemetry\[0\]\.facility_id names a facility with several meters/,
    );
    await refused(
      { facility_id: 2_000_000_000 },
      /facility_id names no facility of this account; GET \/facilities lists/,
    );
    await refused({ facility_id: 1, meter_id: 2 }, /facility_id/);
    // Names and ids of the current version are not members of this one.
    await refused({ site_id: siteId() }, /facility_id/);
    await refused({ meter_id: meterId() }, /telemetry\[0\]\.meter_id is "mtr_\w+"; it must be a whole number/);
    // A number of another kind of thing.
    await refused({ meter_id: numbers.of(siteId()) }, /meter_id names no meter/);
    expectError(await previous("GET", "/telemetry/kw?start_time=2026-07-01T00:00:00Z"), 400, /^facility_id is missing/);
  });

  test("takes numbers of 32 bits only: others are unknown in a path, and errors in a body or query", async () => {
    const numbers = await numbersOf(anna, previous);
    const facility = numbers.of(siteId());
    const block = { available: false, start_time: ahead(service, { days: 5 }), end_time: ahead(service, { days: 6 }) };
    const odd = [
      "0",
      "-1",
      `0${facility}`,
      `${facility}.0`,
      "1e3",
      "2147483648",
      "9007199254740993",
      "9".repeat(400),
      "x",
    ];
    for (const id of [...odd, siteId(), `%20${facility}`, `${facility}%00`]) {
      expectError(await previous("POST", `/schedule/facilities/${id}`, block), 404, /No such facility/);
      expectError(await previous("GET", `/dispatches/${id}`), 404, /No such dispatch/);
      expectError(await previous("DELETE", `/webhooks/${id}`), 404, /No such webhook/);
    }
    const from = `start_time=${ahead(service, {})}`;
    for (const id of ["0", "-1", "1.5", "1e3", "2147483648", "9".repeat(400), "x", siteId(), ""])
      expectError(await previous("GET", `/telemetry/kw?facility_id=${id}&${from}`), 400, /facility_id/);
    const body = (id: string) =>
      `{"telemetry":[{"interval_seconds":60,"timestamp":"${ahead(service, {})}","kW":1,"meter_id":${id}}]}`;
    for (const id of ["0", "-1", "1.5", "2147483648", "9007199254740993", "9".repeat(400), '"1"', "true", "[1]", "{}"])
      expectError(await previous("POST", "/telemetry", body(id)), 400, /telemetry\[0\]\.meter_id/);
  });

  test("does not find what is another account's, as the current one does not", async () => {
    const ben = await service.newParticipant();
    const numbers = await numbersOf(ben, previousCall(service.url, ben.key));
    const [site] = ben.sites;
    const block = { available: false, start_time: ahead(service, { days: 5 }), end_time: ahead(service, { days: 6 }) };
    expectError(await previous("POST", `/schedule/facilities/${numbers.of(site?.id)}`, block), 404, /No such facility/);
    const reading = {
      interval_seconds: 60,
      timestamp: ahead(service, {}),
      kW: 1,
      meter_id: numbers.of(site?.meters[0]),
    };
    const refused = await previous("POST", "/telemetry", { telemetry: [reading] });
    expectError(refused, 400, /meter_id names no meter of this account/);
    const [current, dated] = [
      await anna.call("GET", `/telemetry/kw?site_id=${site?.id}&start_time=${ahead(service, {})}`),
      await previous("GET", `/telemetry/kw?facility_id=${numbers.of(site?.id)}&start_time=${ahead(service, {})}`),
    ];
    expect(dated.status).toBe(current.status);
    expect(dated.text).not.toContain("site_");
  });

  test("answers 404 with a word to what the specification does not state of it", async () => {
    const numbers = await numbersOf(anna, previous);
    for (const [method, path] of [
      ["GET", "/sites"],
      ["GET", "/requests"],
      ["GET", "/resends"],
      ["GET", "/statements"],
      ["GET", "/reports/performance"],
      ["POST", `/schedule/sites/${numbers.of(siteId())}`],
      ["GET", "/dispatches/1/performance"],
      ["PUT", "/dispatches"],
    ] as const)
      expectError(
        await previous(method, path),
        404,
        /Version 2020-12-30 has nothing at this address.*\/2020-12-30\/docs/,
      );
    expectError(await previous("GET", "/dispatches/stream"), 404, /No such dispatch/);
  });

  test("takes the key as a bearer token only, and the current version does not", async () => {
    const other = httpClient(`${service.url}/2020-12-30`, { "x-service-api-key": anna.key });
    const answer = await other("GET", "/facilities");
    expectError(answer, 401, /send it as Authorization: Bearer KEY/);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
    const wrong = await previousCall(service.url, `${anna.key}0`)("GET", "/facilities");
    expectError(wrong, 401, /Permission denied/);
    const current = httpClient(`${service.url}/2022-04-15`, { authorization: `Bearer ${anna.key}` });
    expectError(await current(listSites), 401);
    const sandboxKey = await claimedKey(service, anna.accountId, "sandbox");
    expectError(await previousCall(service.url, sandboxKey.key)("GET", "/facilities"), 401, /sandbox API key/);
  });

  test("is described at an address of its own, without a key", async () => {
    const { status, body } = await httpClient(service.url)("GET", "/2020-12-30/openapi.json");
    expect([status, body.info.version]).toEqual([200, "2020-12-30"]);
    expect(Object.keys(body.paths)).toContain("/schedule/facilities/{facility_id}");
    expect(body.servers[0].url).toBe(`${service.url}/2020-12-30`);
    expect((await httpClient(service.url)("GET", "/2020-12-30/docs")).text).toContain("/2020-12-30/openapi.json");
    const redirect = await httpClient(service.url)("GET", "/2020-12-30/");
    expect([redirect.status, redirect.headers.get("location")]).toEqual([308, "/2020-12-30/docs"]);
  });
});

describe("a number", () => {
  test("means the same site after a restart, in another process, and after a neighbour was removed", async () => {
    const own = await running(EARLIER);
    const carla = await own.newParticipant({ sites: [["main"], ["main"]] });
    const numbers = await numbersOf(carla, previousCall(own.url, carla.key));
    const [first, second] = carla.sites.map(({ id }) => id);
    const before = [numbers.of(first), numbers.of(second)];
    // As the removal of a demo does it: the interface removes no sites.
    await own.database.pool.query("delete from meters where site_id = $1", [first]);
    await own.database.pool.query("delete from sites where id = $1", [first]);
    const url = await own.another();
    const call = previousCall(url, carla.key);
    const site = await own.made(operator.createSite, {
      params: { id: carla.accountId },
      body: { name: "New", meters: [{ name: "m" }] },
    });
    const { facilities } = (await call("GET", "/facilities")).body;
    expect(facilities.map(({ id }: { id: number }) => id)).toEqual([before[1], expect.any(Number)]);
    expect(before).not.toContain(facilities[1].id);
    expect((await previousCall(own.url, carla.key)("GET", "/facilities")).body.facilities).toEqual(facilities);
    const block = { available: false, start_time: ahead(own, { days: 2 }), end_time: ahead(own, { days: 3 }) };
    expectError(await call("POST", `/schedule/facilities/${before[0]}`, block), 404, /No such facility/);
    expect((await call("POST", `/schedule/facilities/${facilities[1].id}`, block)).status).toBe(200);
    const { items } = await own.made(operator.listSchedule, { params: { id: site.id } });
    expect(items).toHaveLength(1);
  });

  test("is one for what several processes show for the first time at once", async () => {
    const own = await running(EARLIER);
    const dora = await own.newParticipant({ sites: Array.from({ length: 40 }, () => ["main"]) });
    const urls = [own.url, await own.another(), await own.another()];
    const answers = await Promise.all(
      urls.flatMap((url) => [0, 1, 2].map(() => previousCall(url, dora.key)("GET", "/facilities"))),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const numbers = new Numbers();
    numbers.compare((await dora.call(listSites)).body, answers[0]?.body);
  });
});

describe("what holds for the current version holds for 2020-12-30", () => {
  test("polls are counted together, and refused together", async () => {
    const own = await running({ ...EARLIER, CURTAIL_RATE_LIMIT_DISPATCHES: "4" });
    const erik = await own.newParticipant();
    const call = previousCall(own.url, erik.key);
    const left = [];
    for (const poll of [call, erik.call, call, erik.call])
      left.push((await poll("GET", "/dispatches")).headers.get("x-ratelimit-remaining"));
    expect(left).toEqual(["3", "2", "1", "0"]);
    const refused = await call("GET", "/dispatches");
    expectError(refused, 429);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect((await call("GET", "/facilities")).status).toBe(200);
  });

  test("an unchanged list is 304, each version with a tag of its own, and vary names its header", async () => {
    for (const path of ["/dispatches", "/facilities"]) {
      const { headers } = await previous("GET", path);
      const tag = headers.get("etag") ?? "";
      expect(headers.get("vary")).toBe("authorization");
      const again = await previous("GET", path, undefined, { "if-none-match": tag });
      expect([again.status, again.text]).toEqual([304, ""]);
      const current = await anna.call("GET", path.replace("facilities", "sites"), undefined, { "if-none-match": tag });
      expect(current.status).toBe(200);
    }
  });

  test.for([
    ["a list", "rest polled", 200],
    ["an unchanged list", "rest polled", 304],
    ["a dispatch", "rest fetched", 200],
  ] as const)("%s that is read is evidence of notice", async ([what, evidence, status]) => {
    const fred = await service.newParticipant();
    const call = previousCall(service.url, fred.key);
    const peak = await newProgram(service, [fred], { name: `Peak of ${what}` });
    const { id } = await newDispatch(service, peak);
    expect(said(await evidenceOf(service, id))).not.toContain(evidence);
    const list = await call("GET", "/dispatches");
    const [path, tag] =
      what === "a dispatch"
        ? [`/dispatches/${list.body.dispatches[0].id}`, ""]
        : ["/dispatches", list.headers.get("etag") ?? ""];
    const headers = status === 304 ? { "if-none-match": tag } : {};
    expect((await call("GET", path, undefined, headers)).status).toBe(status);
    await untilHappened(service, id, { happened: evidence, count: 1 });
  });

  test("an upload with an encoding is answered alike", async () => {
    const encoded = { "content-encoding": "br" };
    const [current, dated] = [
      await anna.call("POST", "/telemetry", { telemetry: [] }, encoded),
      await previous("POST", "/telemetry", { telemetry: [] }, encoded),
    ];
    expect([dated.status, dated.body]).toEqual([current.status, current.body]);
    const [plain, plainDated] = [
      await anna.call("POST", "/telemetry", { telemetry: [] }),
      await previous("POST", "/telemetry", { telemetry: [] }),
    ];
    expect(plainDated.headers.get("accept-encoding")).toBe(plain.headers.get("accept-encoding"));
  });

  test("a compressed upload is stored alike, by ids and by numbers", async () => {
    const hanna = await service.newParticipant({ sites: [["main"], ["main"]] });
    const numbers = await numbersOf(hanna, previousCall(service.url, hanna.key));
    const [first, second] = hanna.sites.map(({ meters }) => meters[0]);
    const timestamp = ahead(service, {});
    const packed = async (path: string, headers: Readonly<Record<string, string>>, meter_id: unknown) => {
      const body = gzipSync(JSON.stringify({ telemetry: [{ interval_seconds: 60, timestamp, meter_id, kW: 7 }] }));
      const sent = { "content-type": "application/json", "content-encoding": "gzip", ...headers };
      const response = await fetch(`${service.url}/${path}/telemetry`, { method: "POST", headers: sent, body });
      return [response.status, await response.json()];
    };
    expect([
      await packed("2022-04-15", { "x-service-api-key": hanna.key }, first),
      await packed("2020-12-30", { authorization: `Bearer ${hanna.key}` }, numbers.of(second)),
    ]).toEqual([
      [200, { received: 1 }],
      [200, { received: 1 }],
    ]);
    const site_id = hanna.sites.map(({ id }) => id);
    const query = { site_id, start_time: ahead(service, { hours: -1 }), end_time: ahead(service, { hours: 1 }) };
    const { data } = (await hanna.call(readTelemetry, { query })).body;
    const points = data.sites.map(({ meters }) => meters.map(({ telemetry }) => telemetry));
    expect(points[0]).not.toEqual([[]]);
    expect(points[1]).toEqual(points[0]);
  });

  test("a repeat with an Idempotency-Key gets the first answer again, in its numbers", async () => {
    const gina = await service.newParticipant();
    await newProgram(service, [gina], { name: "Peak of repeats" });
    const call = previousCall(service.url, gina.key);
    const body = { start_time: ahead(service, { hours: 1 }), end_time: ahead(service, { hours: 2 }) };
    const key = { "idempotency-key": "same" };
    const first = await call("POST", "/dispatches", body, key);
    const again = await call("POST", "/dispatches", body, key);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(again.body).toEqual(first.body);
    // The versions have paths of their own: it is another request there.
    const current = await gina.call("POST", "/dispatches", body, key);
    expect(current.headers.get("idempotency-replayed")).toBeNull();
    expect((await gina.call(listDispatches)).body.dispatches).toHaveLength(2);
  });

  test("the request log has its paths, and errors in its words", async () => {
    const hans = await service.newParticipant();
    const call = previousCall(service.url, hans.key);
    await call("GET", "/dispatches/77777");
    await call("POST", "/telemetry", { telemetry: [{ site_id: "site_1" }] });
    await call("GET", "/facility");
    const logged = async () => (await hans.call(listRequests, { query: { status: "error" } })).body.items;
    await vi.waitFor(async () => expect(await logged()).toHaveLength(3), 10_000);
    const entries = new Map((await logged()).map(({ path, error }) => [path, error] as const));
    expect(entries.get("/2020-12-30/dispatches/77777")).toBe("No such dispatch; check the id.");
    expect(entries.get("/2020-12-30/telemetry")).toMatch(/telemetry\[0\]\.interval_seconds is missing/);
    expect(entries.get("/2020-12-30/facility")).toMatch(/Version 2020-12-30 has nothing at this address/);
  });
});

describe("webhooks", () => {
  let [own, current, dated] = [service, undefined, undefined] as unknown as [Running, Receiver, Receiver];
  let jana: Participant;
  let peak: string;

  beforeAll(async () => {
    own = await running(EARLIER);
    jana = await own.newParticipant();
    peak = await newProgram(own, [jana]);
    [current, dated] = [await receiver(), await receiver()];
    await jana.call(createWebhook, { body: { url: current.url, events: EVENTS } });
    await previousCall(own.url, jana.key)("POST", "/webhooks", { url: dated.url, events: EVENTS });
  });

  test("are notified of paths of the version that registered them, which lead to the same dispatch", async () => {
    const { id } = await newDispatch(own, peak);
    const [[notice], [earlier]] = [await current.notices(1), await dated.notices(1)];
    expect(notice?.resource).toBe(`/2022-04-15/dispatches/${id}`);
    const { items } = await own.made(operator.listAccountWebhooks, { params: { id: jana.accountId } });
    expect(items.map(({ url, interface_version }) => [url, interface_version])).toEqual([
      [current.url, "2022-04-15"],
      [dated.url, "2020-12-30"],
    ]);
    expect(earlier?.resource).toMatch(/^\/2020-12-30\/dispatches\/[1-9]\d*$/);
    const call = httpClient(own.url, { authorization: `Bearer ${jana.key}` });
    const numbers = new Numbers();
    numbers.compare(
      (await jana.call(getDispatch, { params: { id } })).body,
      (await call("GET", earlier?.resource ?? "")).body,
    );
    await own.made(operator.changeDispatch, { params: { id }, body: { authorized: false } });
    const notices = await dated.notices(2);
    expect(notices.map(({ event, resource }) => [event, resource])).toEqual([
      ["dispatch.create", earlier?.resource],
      ["dispatch.update", earlier?.resource],
    ]);
  });

  test("show operators the request as it was sent", async () => {
    const { id } = await newDispatch(own, peak);
    const sent = (await dated.notices(3)).at(-1);
    await vi.waitFor(async () => {
      const { items } = await own.made(operator.listDispatchDeliveries, { params: { id } });
      const bodies = items.flatMap(({ attempts }) => attempts.map(({ request }) => request?.body));
      expect(new Set(bodies)).toEqual(new Set([sent?.text, (await current.notices(3)).at(-1)?.text]));
    });
  });
});

describe("in the sandbox", () => {
  test("the public key sees the fixed sites under numbers, and one dispatch that moves on", async () => {
    const call = previousCall(service.sandboxUrl, "sandbox-public-key");
    const numbers = new Numbers();
    numbers.compare((await service.publicCall(listSites)).body, (await call("GET", "/facilities")).body);
    const [first, second] = [(await call("GET", "/dispatches")).body, (await call("GET", "/dispatches")).body];
    expect(second.dispatches[0].id).toBe(first.dispatches[0].id);
    expect(second.dispatches[0].start_time > first.dispatches[0].start_time).toBe(true);
    expect(first.dispatches[0].facilities.map(({ id }: { id: number }) => id)).toEqual([
      numbers.of("site_sandbox_lakeside"),
      numbers.of("site_sandbox_harbour"),
    ]);
    const start = ahead(service, { hours: -1 });
    const facility = numbers.of("site_sandbox_harbour");
    const read = await call("GET", `/telemetry/kw?facility_id=${facility}&start_time=${start}`);
    expect(read.body.data.facilities[0]).toMatchObject({
      facility_id: facility,
      meters: [{ meter_id: numbers.of("mtr_sandbox_harbour") }],
    });
  });

  test("a scenario of an account has facilities, and notifies by the paths of the version", async () => {
    const kai = await service.newParticipant();
    const { key } = await claimedKey(service, kai.accountId, "sandbox");
    const call = previousCall(service.sandboxUrl, key);
    const hook = await receiver();
    expect((await call("POST", "/webhooks", { url: hook.url, events: EVENTS })).status).toBe(200);
    const played = await call("POST", "/scenarios", {
      scenario_type: "basic",
      start_time: ahead(service, { hours: 1 }),
      end_time: ahead(service, { hours: 2 }),
      facilities: [{ name: "Store 12", customer_location_id: "store-12", commitment: 250 }],
      program: { name: "Peak", timezone: "UTC", market: "", program_type: "capacity" },
    });
    expect(played.status).toBe(200);
    const [dispatch] = played.body.dispatches;
    expect([played.body.id, dispatch.id, dispatch.facilities[0].id].every(Number.isInteger)).toBe(true);
    const [notice] = await hook.notices(1);
    expect(notice?.resource).toBe(`/2020-12-30/dispatches/${dispatch.id}`);
    expect((await call("GET", `/dispatches/${dispatch.id}`)).body).toEqual(dispatch);
    const current = httpClient(`${service.sandboxUrl}/2022-04-15`, { "x-service-api-key": key });
    new Numbers().compare((await current(listDispatches)).body, (await call("GET", "/dispatches")).body);
  });

  test("warnings say facility, and name numbers", async () => {
    const call = previousCall(service.sandboxUrl, "sandbox-public-key");
    const numbers = await numbersOf(anna, previous);
    const reading = { interval_seconds: 60, timestamp: ahead(service, {}), kW: 1 };
    const telemetry = [
      { ...reading, facility_id: 1_999_999_999 },
      { ...reading, meter_id: numbers.of(meterId()) },
    ];
    const { status, body } = await call("POST", "/telemetry", { telemetry });
    expect([status, body.received]).toEqual([200, 2]);
    expect(body.warnings[0]).toMatch(/telemetry\[0\]\.facility_id is "1999999999", which is no facility/);
    expect(body.warnings[1]).toContain(`telemetry[1].meter_id is "${numbers.of(meterId())}", which is no meter`);
  });

  test("what anybody has made up with the public key has numbers for that answer alone", async () => {
    const call = previousCall(service.sandboxUrl, "sandbox-public-key");
    const fixed = (await call("GET", "/facilities")).body.facilities;
    const count = async () => (await service.database.pool.query("select from dated_ids")).rowCount;
    const play = () =>
      call("POST", "/scenarios", {
        scenario_type: "basic",
        start_time: ahead(service, { hours: 1 }),
        end_time: ahead(service, { hours: 2 }),
        facilities: [{ name: "Store 12", customer_location_id: "store-12", commitment: 250 }],
        program: { name: "Peak", timezone: "UTC", market: "", program_type: "capacity" },
      });
    // The program of scenarios is always there: it has a number from now on.
    await play();
    const before = await count();
    const played = await play();
    const [dispatch] = played.body.dispatches;
    const made = [played.body.id, dispatch.id, dispatch.facilities[0].id];
    expect(new Set(made).size).toBe(3);
    expect(made.every((number) => Number.isInteger(number) && number >= 2_000_000_000)).toBe(true);
    expect(await count()).toBe(before);
    expect((await call("GET", "/facilities")).body.facilities).toEqual(fixed);
    expectError(await call("GET", `/dispatches/${dispatch.id}`), 404, /No such dispatch/);
  });
});

describe("without the setting", () => {
  test("every address of it is what it was: 404, with the current version named", async () => {
    const plain = await running();
    const lena = await plain.newParticipant();
    const call = previousCall(plain.url, lena.key);
    for (const path of ["/facilities", "/dispatches", "/openapi.json", "/docs", "/"])
      expectError(
        await call("GET", path),
        404,
        /^Version 2020-12-30 is not served; use the current version, \/2022-04-15\.$/,
      );
    await lena.call(createTestDispatch, {
      body: { start_time: ahead(plain, { hours: 1 }), end_time: ahead(plain, { hours: 2 }) },
    });
    const { rows } = await plain.database.pool.query("select from dated_ids");
    expect(rows).toEqual([]);
  });
});
