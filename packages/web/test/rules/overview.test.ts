import { describe, expect, test } from "vitest";
import { messageOf, namedIn } from "../../src/rules/alarm.js";
import { verdictOf } from "../../src/rules/scenario.js";
import { calledFirst, hiddenSites, sumsOf } from "../../src/rules/site-overview.js";

type Site = Parameters<typeof sumsOf>[0][number];
const site = (name: string, of: Partial<Site> = {}): Site => ({
  name,
  dispatch: null,
  stale: false,
  available: true,
  load_kw: 10,
  display_enabled: true,
  ...of,
});
const call = (state: "in_progress" | "upcoming", delivered_kw: number | null, commitment_kw: number | null) =>
  ({ state, delivered_kw, commitment_kw }) as NonNullable<Site["dispatch"]>;

describe("the sites of an account", () => {
  test("have a load together of those that are known, and none where none is", () => {
    expect(sumsOf([site("A"), site("B", { load_kw: null })])).toMatchObject({ loadKw: 10, sitesWithLoad: 1 });
    expect(sumsOf([site("A", { load_kw: null })]).loadKw).toBeNull();
  });

  test("deliver together what dispatches in progress ask, not those to come", () => {
    const sites = [
      site("A", { dispatch: call("in_progress", 5, 10) }),
      site("B", { dispatch: call("in_progress", null, 20) }),
      site("C", { dispatch: call("upcoming", null, 40) }),
    ];
    expect(sumsOf(sites).running).toEqual({ deliveredKw: 5, committedKw: 30 });
    expect(sumsOf([site("A")]).running).toBeNull();
  });

  test("are counted as reporting and available", () => {
    expect(sumsOf([site("A", { stale: true }), site("B", { available: false })])).toMatchObject({
      reporting: 1,
      available: 1,
    });
  });

  test("are told apart by whether their readings arrive, while their data is not visible yet", () => {
    const [arriving, silent] = [
      site("A", { display_enabled: false }),
      site("B", { display_enabled: false, stale: true }),
    ];
    expect(hiddenSites([site("C"), silent, arriving, site("D", { stale: true })])).toEqual({
      arriving: [arriving],
      silent: [silent],
    });
    expect(hiddenSites([site("C")])).toEqual({ arriving: [], silent: [] });
  });

  test("stand by name, those that are called now first", () => {
    const sites = [site("C"), site("B", { dispatch: call("in_progress", 1, 1) }), site("A")];
    expect(calledFirst(sites).map(({ name }) => name)).toEqual(["B", "A", "C"]);
  });
});

describe("an alarm", () => {
  const alarm = { subject: "ven_1 dis_2", message: "Mills (acc_3) did not acknowledge dis_2", account_id: "acc_3" };

  test("names what it is of in its subject or message", () => {
    expect([namedIn(alarm, "dis"), namedIn(alarm, "ven")]).toEqual(["dis_2", "ven_1"]);
    expect(namedIn({ ...alarm, subject: "mail" }, "ven")).toBeUndefined();
  });

  test("is told without the id of the account, which stands above it", () => {
    expect(messageOf(alarm)).toBe("Mills did not acknowledge dis_2");
    expect(messageOf({ ...alarm, account_id: null })).toBe(alarm.message);
  });
});

const criteria = (...results: readonly ("passed" | "failed" | "not_seen")[]) => results.map((result) => ({ result }));

describe("the verdict of a scenario", () => {
  test("is not ready with one failure, open while something was not seen, else ready", () => {
    expect(verdictOf(criteria("passed", "failed", "not_seen"))).toEqual({ verdict: "not_ready", count: 1 });
    expect(verdictOf(criteria("passed", "not_seen", "not_seen"))).toEqual({ verdict: "open", count: 2 });
    expect(verdictOf(criteria("passed"))).toEqual({ verdict: "ready" });
  });
});
