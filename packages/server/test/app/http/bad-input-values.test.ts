import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { notRefused } from "../../support/every-route.js";
import { expectError } from "../../support/expect-error.js";
import {
  anna,
  goodBodies,
  goodQueries,
  paths,
  prepare,
  prepareAccount,
  program,
  programId,
  service,
} from "../../support/ids-in-paths.js";
import { goodCall, type Named, namesOf, servedEndpoints, unknownNames } from "../../support/participant-calls.js";
import type { Participant } from "../../support/running.js";

beforeAll(prepare);

/** Its accents are not valid UTF-8. */
const latin1 = (json: string): Buffer => Buffer.from(json, "latin1");

describe("a body of any endpoint", () => {
  let anna: Participant;
  let named: Named;

  beforeAll(async () => {
    anna = await service.newParticipant();
    named = namesOf(anna, unknownNames.dispatchId);
  });

  const posts = servedEndpoints.filter((each) => each.method === "POST");

  describe.for(posts.map((each) => [each.path, each] as const))("POST %s", ([, endpoint]) => {
    const post = (body: string | Buffer | undefined, type: string | undefined) => {
      const call = goodCall(endpoint, named, service.clock);
      const headers = { "x-service-api-key": anna.key, ...(type === undefined ? {} : { "content-type": type }) };
      // Bytes, so that the client adds no type of its own.
      const bytes = typeof body === "string" ? Buffer.from(body) : (body ?? null);
      return fetch(`${service.url}/2022-04-15${call.path}`, { method: "POST", headers, body: bytes }).then(
        async (response) => ({
          status: response.status,
          body: await response.json(),
        }),
      );
    };
    const good = () => JSON.stringify(goodCall(endpoint, named, service.clock).body);

    test.for([
      undefined,
      "text/plain",
      "application/xml",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "x",
    ])("B11: refuses a body of type %s", async (type) =>
      expectError(await post(good(), type), 400, /application\/json/),
    );

    test("B11: refuses no body at all", async () => expectError(await post(undefined, undefined), 400));

    test.for(["", " ", '{"a":', "NaN", "{'a':1}", '{"a":1,}', "{a:1}", "undefined", '{"a":01}', "\u0000"])(
      "B12: refuses the body %s",
      async (body) => expectError(await post(body, "application/json"), 400),
    );

    test.for(["null", "[]", '"x"', "5", "true", "[{}]"])("B13: refuses %s at the top", async (body) =>
      expectError(await post(body, "application/json"), 400),
    );

    test.for(['"__proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}', '"\\u005f_proto__":1'])(
      "B14: refuses %s and nothing is polluted",
      async (member) => {
        for (const body of [good().replace("{", `{${member},`), good().replace(/\{([^{]*)$/, `{${member},$1`)])
          expectError(await post(body, "application/json"), 400, /__proto__/);
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      },
    );

    test("B15: refuses bytes that are not UTF-8, wherever they stand", async () => {
      for (const body of [
        good().replace("{", '{"note":"Caf\u00e9",'),
        good().replace(/\{([^{]*)$/, '{"note":"\u00ff",$1'),
      ])
        expectError(await post(latin1(body), "application/json"), 400, /not UTF-8/);
    });

    test("B15: passes over a byte order mark", async () => {
      expect((await post(`\ufeff${good()}`, "application/json")).status).toBe(200);
      expectError(await post("\ufeff", "application/json"), 400);
    });

    test("takes JSON that names its charset, in any case", async () => {
      for (const type of ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
        expect((await post(good(), type)).status).toBe(200);
    });
  });
});

const ask = ({ id, method, path }: (typeof paths)[number]) =>
  service.operator(method, path.replaceAll(/\{\w+\}/g, "%00") + (goodQueries[id] ?? ""), goodBodies[id]);

describe("a value in a body", () => {
  beforeAll(prepareAccount);

  /** Texts that the database refuses, or that cannot be displayed. */
  const unfit = ["a\u0000b", "\u0000", "line\nbreak", "tab\t", "\u007f", "\ud800", "x\udfffy", "a".repeat(201)];

  describe("P: a text that people read", () => {
    test.for(unfit)("is refused as %j", async (text) => {
      const site = `/sites/${anna.sites[0]?.id}`;
      const meter = `/meters/${anna.sites[0]?.meters[0]}`;
      const refused = [
        service.operator("POST", "/accounts", { name: text }),
        service.operator("PATCH", `/accounts/${anna.accountId}`, { name: text }),
        service.operator("POST", `/accounts/${anna.accountId}/sites`, { name: "x", customer_location_id: text }),
        service.operator("POST", `/accounts/${anna.accountId}/sites`, { name: "x", meters: [{ name: text }] }),
        service.operator("PATCH", site, { dispatch_group: text }),
        service.operator("PATCH", meter, { name: text }),
        service.operator("POST", "/programs", { ...program, market: text }),
        service.operator("POST", "/programs", { ...program, timezone: text }),
        service.operator("POST", `/accounts/${anna.accountId}/contacts`, { name: text, email: "a@b.example" }),
      ];
      for (const answer of await Promise.all(refused)) expectError(answer, 400);
    });

    test("may have any other character, and is returned unchanged", async () => {
      for (const name of [
        "🏭 Плотина №7",
        "e\u0301",
        "\u202eabc",
        "'; drop table accounts; --",
        "<b>&amp;",
        "\\u0000",
        "\ufffd",
      ])
        expect(await service.made(operator.createAccount, { body: { name } })).toMatchObject({ name });
    });
  });

  describe("P: an id with a NUL", () => {
    test("is unknown at every address of the operator", async () => {
      expect(await notRefused(paths, ask, { status: 404, message: /\S/ })).toEqual([]);
    });

    test("is unknown to participants too", async () => {
      expectError(await anna.call("GET", "/dispatches/%00"), 404);
      expectError(await anna.call("GET", "/telemetry/kw?site_id=%00&start_time=2026-01-01T00:00:00Z"), 404);
      const own = `site_id=${anna.sites[0]?.id}&start_time=2026-01-01T00:00:00Z`;
      expectError(await anna.call("GET", `/telemetry/kw?${own}&site_id=a%00b`), 404);
      expectError(await anna.call("GET", `/telemetry/kw?${own}&end_time=%00`), 400, /^end_time/);
    });

    test("is refused in a body, naming the place", async () => {
      const reading = { interval_seconds: 60, timestamp: service.clock.now().toISOString(), units: "kW", value: 1 };
      const telemetry = [{ ...reading, meter_id: "\u0000" }];
      expectError(await anna.call("POST", "/telemetry", { telemetry }), 400, /^telemetry\[0\]\.meter_id/);
      const controllable_load = [{ ...reading, site_id: "site_\u0000" }];
      const load = await anna.call("POST", "/telemetry/controllable-load", { controllable_load });
      expectError(load, 400, /^controllable_load\[0\]\.site_id/);
      const dispatch = { program_id: programId, start_time: "2027-01-01T00:00:00Z" };
      for (const change of [{ program_id: "\u0000" }, { sites: [{ site_id: "\u0000" }] }])
        expectError(await service.operator("POST", "/dispatches", { ...dispatch, ...change }), 400);
    });
  });

  describe("P: an operator's number, time or cursor", () => {
    test("that the database could not hold is refused", async () => {
      for (const schedule_cutoff_seconds of [2 ** 31, 1e300, -1, 1.5, "60"])
        expectError(await service.operator("POST", "/programs", { ...program, schedule_cutoff_seconds }), 400);
      for (const commitment of [-1, 10_000_001, "5"])
        expectError(
          await service.operator("PUT", `/programs/${programId}/sites/${anna.sites[0]?.id}`, { commitment }),
          400,
        );
    });

    test.for(["now", "infinity", "2022-02-30T00:00:00Z", "2030-01-01T00:00:00", "300000-01-01T00:00:00Z", "", 5])(
      "%s is no time",
      async (text) => {
        const dispatch = { program_id: programId, start_time: "2027-01-01T00:00:00Z" };
        for (const name of ["start_time", "end_time", "notification_time"])
          expectError(await service.operator("POST", "/dispatches", { ...dispatch, [name]: text }), 400);
        const key = { environment: "production", expires_at: text };
        expectError(await service.operator("POST", `/accounts/${anna.accountId}/keys`, key), 400);
      },
    );

    test("that no page was given with is refused", async () => {
      for (const cursor of ["", "x", "%00", "s1", "99999999999999999999", "czk5OTk5OTk5OTk5OTk5OTk5OTk"])
        expectError(await service.operator("GET", `/accounts?cursor=${cursor}`), 400);
      for (const limit of ["0", "501", "-1", "1e2", "x", "", "9999999999"])
        expectError(await service.operator("GET", `/accounts?limit=${limit}`), 400);
    });

    test("G5: a member that is not known is not stored, inside openadr too", async () => {
      const openadr = { level: 1, ramp_up_seconds: 60, secret: "\ud800", nested: { a: 1 } };
      const { id } = (await service.operator("POST", "/programs", { ...program, openadr, built_in: true })).body;
      const change = { openadr: { level: 2, more: "x" }, id: "x" };
      expect((await service.operator("PATCH", `/programs/${id}`, change)).status).toBe(200);
      const answer = await service.operator("GET", `/programs/${id}`);
      expect(answer.body.openadr).toEqual({ level: 2 });
      expect((await service.operator("GET", "/audit?limit=2")).text).not.toMatch(/secret|more/);
    });
  });
});
