import type { operator } from "@curtail/contract";
import { forEachReach } from "@curtail/contract/lists/channels";
import { describe, expect, test } from "vitest";
import { firstStep, type SiteToAttend, unlisted, usedChannels } from "../../src/rules/attention.js";
import { failedDeliveries } from "../../src/rules/failed-deliveries.js";
import { type Moment, type TimelineEntry, timelineOf } from "../../src/rules/timeline.js";

const now = new Date("2026-07-01T18:30:00Z");

const event = (what: "failed" | "delivered", delivery_id: string, reason?: "attempts_failed" | "webhook_deleted") =>
  ({ channel: "webhook", what, detail: { delivery_id, reason } }) as operator.Evidence;

const kinds = (moments: readonly Moment[]) => moments.map(({ kind }) => kind);

const site = (of: Partial<SiteToAttend>) =>
  ({ reached_by: "webhook", last_reading_at: "2026-07-01T18:29:00Z", delivered_kw: 10, ...of }) as SiteToAttend;

describe("the first step about a site that falls short", () => {
  test("is to call an account that knows nothing, before anything else", () => {
    expect(firstStep(site({ reached_by: null, last_reading_at: null }), now)).toBe("call_unreached");
  });

  test("is to check the readings where they stopped, and otherwise to ask", () => {
    expect(firstStep(site({ last_reading_at: "2026-07-01T18:10:00Z" }), now)).toBe("check_readings");
    expect(firstStep(site({ last_reading_at: null }), now)).toBe("check_readings");
    expect(firstStep(site({ delivered_kw: null }), now)).toBe("not_measured");
    expect(firstStep(site({}), now)).toBe("call_short");
  });
});

describe("who was reached", () => {
  const attention = {
    accounts: 30,
    reached: 4,
    reached_by: { ...forEachReach(() => 0), webhook: 3, sms: 2, phone: 1 },
    unreached: Array.from({ length: 20 }, () => ({})),
  } as unknown as operator.DispatchAttention;

  test("is named by the channels that reached somebody", () => {
    expect(usedChannels(attention)).toEqual([
      ["webhook", 3],
      ["sms", 2],
      ["phone", 1],
    ]);
  });

  test("leaves out of the list those beyond its limit", () => {
    expect(unlisted(attention)).toBe(6);
  });
});

describe("failed deliveries", () => {
  test("are those that failed for good and never succeeded afterwards", () => {
    expect(
      failedDeliveries([
        event("failed", "dlv_1", "attempts_failed"),
        event("failed", "dlv_2", "attempts_failed"),
        event("delivered", "dlv_1"),
        event("failed", "dlv_3", "webhook_deleted"),
      ]),
    ).toEqual(["dlv_2"]);
  });
});

describe("the timeline of a dispatch", () => {
  const dispatch = { authorized: true, start_time: "2026-07-01T18:00:00Z", end_time: "2026-07-01T18:20:00Z" };
  const at = (minutes: number) => new Date(Date.parse(dispatch.start_time) + minutes * 60_000).toISOString();
  const entry = (minutes: number) => ({ at: at(minutes), what: "issued" }) as TimelineEntry;
  const cells = (...sites: readonly number[]) =>
    sites.map((count, index) => ({ timestamp: at(index + 1), sites: count }));

  test("has its start and end once they have passed", () => {
    expect(kinds(timelineOf([entry(-5)], dispatch, [], now))).toEqual(["entry", "start", "end"]);
    expect(kinds(timelineOf([entry(-5)], dispatch, [], new Date(at(10))))).toEqual(["entry", "start"]);
    expect(kinds(timelineOf([entry(-5)], { ...dispatch, authorized: false }, [], now))).toEqual(["entry"]);
  });

  test("says when readings of many sites stopped and came again", () => {
    const moments = timelineOf([], dispatch, cells(10, 10, 7, 6, 10), now);
    expect(moments.filter(({ kind }) => kind.startsWith("readings"))).toEqual([
      { kind: "readings_stopped", at: at(3), sites: 3 },
      { kind: "readings_back", at: at(5), sites: 3 },
    ]);
  });

  test("does not mention single sites", () => {
    expect(kinds(timelineOf([], dispatch, cells(10, 9, 10), now))).toEqual(["start", "end"]);
    expect(kinds(timelineOf([], dispatch, cells(1, 0), now))).toEqual(["start", "end"]);
  });
});
