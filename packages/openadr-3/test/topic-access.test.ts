import { describe, expect, test } from "vitest";
import { allowedTopics, isAllowedTopic, type Scope, scopesOf, type TopicPlace, topicsOf } from "../src/index.js";

const ven: TopicPlace = { environment: "production", venClientId: "oac_1" };
const bl: TopicPlace = { environment: "production", venClientId: null };
const may = (
  place: TopicPlace,
  filter: string,
  scopes: readonly Scope[] = scopesOf[place.venClientId ? "ven" : "bl"],
) => isAllowedTopic(filter, allowedTopics(place, scopes));

describe("a VEN", () => {
  test("may subscribe to every topic that it is told, one by one or all", () => {
    for (const subject of [
      { of: "programs" },
      { of: "program", id: "p1" },
      { of: "programEvents", id: "p1" },
      { of: "ven", id: "v1" },
      { of: "venEvents", id: "v1" },
    ] as const)
      for (const topic of Object.values(topicsOf(subject, ven))) expect(may(ven, topic)).toBe(true);
  });

  test.each([
    "#",
    "+/oac_1/#",
    "clients/#",
    "clients/+/programs/create",
    "clients/oac_2/programs/create",
    "clients/oac_10/programs/create",
    "programs/create",
    "vens/v1/events/create",
    "sandbox/clients/oac_1/programs/create",
    "$SYS/#",
    "$share/group/clients/oac_1/programs/create",
    "",
  ])("may not subscribe to %j", (filter) => {
    expect(may(ven, filter)).toBe(false);
  });

  test("may use wildcards where all that they match is its own", () => {
    for (const filter of ["clients/oac_1/programs/#", "clients/oac_1/vens/+/events/+"])
      expect(may(ven, filter)).toBe(true);
  });

  test("may not subscribe to what its scopes do not open", () => {
    expect(may(ven, "clients/oac_1/programs/create", ["read_ven_objects"])).toBe(false);
    expect(may(ven, "clients/oac_1/vens/v1/events/create", ["read_all"])).toBe(false);
    expect(may(ven, "clients/oac_1/programs/create", [])).toBe(false);
  });
});

describe("business logic", () => {
  test.each(["events/create", "reports/+", "vens/v1/events/#", "subscriptions/#"])("may subscribe to %j", (filter) => {
    expect(may(bl, filter)).toBe(true);
  });

  test.each(["#", "+/create", "clients/oac_1/programs/create", "sandbox/events/create", "$CONTROL/#"])(
    "may not subscribe to %j, which has more than its topics",
    (filter) => {
      expect(may(bl, filter)).toBe(false);
    },
  );

  test("of the sandbox has topics of the sandbox only", () => {
    const sandbox = { ...bl, environment: "sandbox" } as const;
    expect(may(sandbox, "sandbox/events/create")).toBe(true);
    expect(may(sandbox, "events/create")).toBe(false);
  });

  test("without the scope for all objects has topics of programs only", () => {
    expect(may(bl, "programs/create", ["read_all"])).toBe(true);
    expect(may(bl, "events/create", ["read_all"])).toBe(false);
  });
});
