import { listDispatches, reportScenario, scenarioTypes } from "@curtail/contract";
import { propertyRuns } from "@curtail/testing/property-runs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { expectNoFailure } from "../support/expect-error.js";
import { minutes, prepare, service } from "../support/requests-of-scenarios.js";
import { LAKESIDE, newPlayer, program } from "../support/scenario.js";

beforeAll(prepare);

describe("POST /scenarios", () => {
  test("F: no nearly valid scenario causes a 500, nor do the requests after it", async () => {
    const { call } = await newPlayer(service);
    const time = fc.oneof(
      fc.integer({ min: -3, max: 120 }).map(minutes),
      fc.constantFrom(minutes(0), minutes(0.000_02), minutes(525_000), "1970-01-01T00:00:00Z", "9999-12-31T00:00:00Z"),
    );
    const someTime = fc.option(time, { nil: undefined });
    const site = fc.record(
      {
        id: fc.constantFrom("", LAKESIDE, "x"),
        name: fc.constantFrom("a", "b", "\u{1f4a1}"),
        commitment: fc.nat(10_000_000),
      },
      { requiredKeys: [] },
    );
    const someSites = fc.array(site, { minLength: 1, maxLength: 3 });
    const dispatch = fc.record(
      {
        authorized: fc.boolean(),
        start_time: time,
        end_time: fc.option(time),
        sites: someSites,
        program: fc.constant(program),
      },
      { requiredKeys: ["start_time", "sites", "program"] },
    );
    const states = fc.array(fc.record({ published_time: time, dispatch }), { minLength: 1, maxLength: 4 });
    const body = fc.record({
      scenario_type: fc.constantFrom(...scenarioTypes),
      notification_time: someTime,
      start_time: time,
      end_time: fc.option(time),
      cancel_time: someTime,
      minutes_between_dispatches: fc.constantFrom(undefined, 0, 1440),
      speed: fc.constantFrom(undefined, 1, 1.5, 599.9, 600),
      sites: someSites,
      program: fc.constant(program),
      dispatches: fc.dictionary(fc.constantFrom("A", "B", "1", "__proto__x"), fc.record({ states }), { minKeys: 1 }),
    });
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(body, async (scenario) => {
        const answer = await call("POST", "/scenarios", scenario);
        statuses.add(answer.status);
        expectNoFailure(answer);
        expect((await call(listDispatches)).status).toBe(200);
        if (answer.status === 200)
          expect((await call(reportScenario, { params: { id: answer.body.id } })).status).toBe(200);
      }),
      { numRuns: propertyRuns(70, { atMost: 500 }) },
    );
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 400]);
  }, 60_000);
});
