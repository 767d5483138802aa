import { describe, expect, test } from "vitest";
import { baselineDraft, baselineOf, methodFault } from "../../src/rules/baseline.js";
import {
  newProgramDraft,
  type Program,
  draftOf as programDraftOf,
  settingsOf as programOf,
} from "../../src/rules/program-draft.js";
import { newDraft as newVenDraft, draftOf as venDraftOf, settingsOf as venOf } from "../../src/rules/ven-draft.js";

describe("a program", () => {
  const settings = {
    name: "Peak",
    timezone: "America/Chicago",
    market: "",
    program_type: "capacity" as const,
    schedule_cutoff_seconds: 5400,
    openadr: { level: 2 as const, ramp_up_seconds: 90 },
    baseline: { preset: "high_4_of_5", anchor: "start" as const },
    holiday_calendar: "US-CA",
    added_holidays: ["2026-07-02"],
    removed_holidays: ["2026-03-31", "2026-11-11"],
    tests_are_events: false,
    corrections_days: 60,
    longest_open_hours: 48,
    public: true,
    status_limits: { amber_from: 0.7, green_from: 0.935, green_to: 1.2, stale_seconds: 90, least_coverage: 0.8 },
  };

  test("comes out of a form as it went in, in minutes and percent", () => {
    const program = {
      ...settings,
      holidays: [],
      id: "prg_1",
      simulated: false,
      created_at: "2026-07-01T00:00:00Z",
    } as Program;
    const draft = programDraftOf(program);
    expect([draft.cutoff, draft.ramp_up, draft.green_from]).toEqual(["90", "1.5", "93.5"]);
    expect(programOf(draft)).toEqual(settings);
  });

  test("has no limits, OpenADR settings or baseline of its own unless they are given", () => {
    const sent = programOf({ ...newProgramDraft, name: " Peak ", holidays: "2026-07-03, 2026-12-25\n" });
    expect(sent).toMatchObject({ name: "Peak", openadr: null, baseline: null, status_limits: null });
    expect(sent).toMatchObject({ holiday_calendar: null, holidays: ["2026-07-03", "2026-12-25"] });
  });
});

describe("a baseline", () => {
  test("of parameters is an object of JSON", () => {
    const draft = { baseline: "method", anchor: "", method: '{"kind": "meter_before"}' } as const;
    expect(methodFault(draft)).toBeNull();
    expect(baselineOf(draft)).toEqual({ method: { kind: "meter_before" } });
    for (const method of ["", "{", "[]", "null", "1"]) expect(methodFault({ ...draft, method }), method).not.toBeNull();
  });

  test("comes out of a form as it went in", () => {
    for (const setting of [
      null,
      { preset: "ten_of_ten" },
      { preset: "ten_of_ten", anchor: "notification" as const },
      { method: { kind: "flat", kw: 5 } },
    ])
      expect(baselineOf(baselineDraft(setting))).toEqual(setting);
  });
});

describe("a VEN", () => {
  test("polls for all sites of the account unless said otherwise", () => {
    expect(venOf(newVenDraft)).toMatchObject({ transport: "pull", sites: "all", poll_interval_seconds: 60 });
  });

  test("comes out of a form as it went in", () => {
    const ven = {
      transport: { push_url: "https://ven.example/push", ca_certificate: null },
      targets: { resource: "customer_location_id" as const, ven_id: false },
      market_context: "program" as const,
      poll_interval_seconds: 30,
      sites: ["site_1", "site_2"],
    };
    expect(venOf(venDraftOf(ven as unknown as Parameters<typeof venDraftOf>[0]))).toEqual(ven);
  });
});
