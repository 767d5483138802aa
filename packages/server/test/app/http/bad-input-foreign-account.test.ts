import { createWebhook } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { freshMetrics } from "../../support/metrics.js";
import {
  goodCall,
  type Named,
  namesOf,
  repeatableEndpoints,
  servedEndpoints,
  unknownNames,
} from "../../support/participant-calls.js";
import { type Participant, type Running, running } from "../../support/running.js";

let service: Running;
let anna: Participant;
let bert: Participant;
let annas: Named;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ name: "Anna's works", sites: [["annas main"], ["annas solar"]] });
  bert = await service.newParticipant({ name: "Bert's works" });
  const created = await anna.call("POST", "/dispatches", period(1));
  const registered = goodCall(createWebhook, namesOf(anna, ""), service.clock);
  const webhook = await anna.call("POST", registered.path, registered.body);
  annas = namesOf(anna, created.body.id, webhook.body.id);
  for (const endpoint of repeatableEndpoints) {
    const { method, path, body } = goodCall(endpoint, annas, service.clock);
    expect((await anna.call(method, path, body)).status).toBe(200);
  }
});

const inHours = (hours: number): string => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString();
const period = (hours: number) => ({ start_time: inHours(hours), end_time: inHours(hours + 1) });

/** Everything that identifies Anna: her ids and the names of her sites and meters. */
const annasMarks = (): string[] => [
  "Anna's works",
  "annas main",
  annas.dispatchId,
  anna.accountId,
  anna.keyId,
  ...anna.sites.flatMap((site) => [site.id, ...site.meters]),
];

/** What is stored, without the traces of refused attempts. */
const stored = async (): Promise<unknown> => {
  const tables = [
    "dispatches",
    "dispatch_sites",
    "availability_blocks",
    "telemetry_hours",
    "controllable_load",
    "webhooks",
  ];
  const counts = tables.map((table) => `(select json_agg(t order by t::text) from ${table} t) as ${table}`);
  return (await service.database.pool.query(`select ${counts.join(", ")}`)).rows[0];
};

const naming = servedEndpoints.filter(
  ({ id }) =>
    ![
      "listDispatches",
      "listRequests",
      "listResends",
      "listSites",
      "createTestDispatch",
      "listWebhooks",
      "createWebhook",
    ].includes(id),
);

describe.for(naming.map((each) => [each.id, each] as const))(
  "another account's objects, named in %s",
  ([, endpoint]) => {
    const asBert = (named: Named) => {
      const { method, path, body } = goodCall(endpoint, named, service.clock);
      return bert.call(method, path, body);
    };

    test("answers a foreign id byte for byte like an unknown one, and changes nothing", async () => {
      const before = await stored();
      const foreign = await asBert(annas);
      const unknown = await asBert(unknownNames);
      expectError(foreign, "body" in endpoint && !endpoint.path.includes("{") ? 400 : 404);
      expect(foreign.text).toBe(unknown.text);
      for (const mark of annasMarks()) expect(foreign.text).not.toContain(mark);
      expect(await stored()).toEqual(before);
    });
  },
);

describe("another account's objects, in lists", () => {
  test.for(["/dispatches", "/sites", "/dispatches?account_id=x", "/sites?page=1"])(
    "C1, H1: GET %s with another key shows nothing of Anna's",
    async (path) => {
      const answer = await bert.call("GET", path);
      expect(answer.status).toBe(200);
      for (const mark of annasMarks()) expect(answer.text).not.toContain(mark);
      expect((await anna.call("GET", path)).text).toContain(anna.sites[0]?.id);
    },
  );

  test("H1: shows exactly the caller's sites and meters", async () => {
    const { body } = await bert.call("GET", "/sites");
    expect(body.sites.map((site: { id: string }) => site.id)).toEqual(bert.sites.map((site) => site.id));
    expect(body.sites[0].meters).toEqual([{ id: bert.sites[0]?.meters[0], name: "main", asset_type: "load" }]);
  });

  test("H4: page and perPage are ignored", async () => {
    const { body } = await anna.call("GET", "/sites?page=5&perPage=1");
    expect(body).toMatchObject({ page: 0, perPage: 0 });
    expect(body.sites).toHaveLength(2);
  });
});

describe("another account's objects, mixed with own ones", () => {
  test("E15: a test dispatch holds the caller's own sites only", async () => {
    const { body } = await bert.call("POST", "/dispatches", period(3));
    expect(body.sites.map((site: { id: string }) => site.id)).toEqual(bert.sites.map((site) => site.id));
  });

  test("K1: one foreign site among own ones is 404 as a whole", async () => {
    const path = `/telemetry/kw?site_id=${bert.sites[0]?.id}&site_id=${annas.siteId}&start_time=2026-01-01T00:00:00Z`;
    expectError(await bert.call("GET", path), 404);
  });

  test("I8, J2: one foreign reading among own ones stores nothing", async () => {
    const before = await stored();
    const timestamp = service.clock.now().toISOString();
    const own = { interval_seconds: 60, timestamp, meter_id: bert.sites[0]?.meters[0], kW: 5 };
    const telemetry = [own, { ...own, meter_id: annas.meterId }];
    expectError(await bert.call("POST", "/telemetry", { telemetry }), 400, /^telemetry\[1\]\.meter_id/);
    const bySite = [own, { interval_seconds: 60, timestamp, site_id: anna.sites[1]?.id, kW: 5 }];
    expectError(await bert.call("POST", "/telemetry", { telemetry: bySite }), 400, /^telemetry\[1\]\.site_id/);
    const load = { interval_seconds: 60, timestamp, site_id: bert.sites[0]?.id, units: "kW", value: 1 };
    const controllable_load = [load, { ...load, site_id: annas.siteId }];
    const refused = await bert.call("POST", "/telemetry/controllable-load", { controllable_load });
    expectError(refused, 400, /^controllable_load\[1\]\.site_id/);
    expect(await stored()).toEqual(before);
  });

  test("SCH1: an attempt on another account's site is counted, and writes nothing", async () => {
    const body = { available: false, ...period(50) };
    const newest = async () => (await service.operator("GET", "/audit?limit=1")).body.items;
    const counted = async (): Promise<number> => {
      const text = await freshMetrics(service);
      return Number(/^curtail_refused_attempts_total\{action="schedule"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const [entries, before] = [await newest(), await counted()];
    expectError(await bert.call("POST", `/schedule/sites/${anna.sites[1]?.id}`, body), 404);
    expect(await newest()).toEqual(entries);
    expect(await counted()).toBe(before + 1);
    expect((await service.operator("GET", `/sites/${anna.sites[1]?.id}/schedule`)).body.items).toEqual([]);
  });
});
