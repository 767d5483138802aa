import { expect, test } from "vitest";
import { type ChangedObject, type TopicPlace, topicsOf, topicsOfChange } from "../src/index.js";

const bl: TopicPlace = { environment: "production", venClientId: null };
const ofVen: TopicPlace = { environment: "production", venClientId: "oac_1" };

test("topics of a type have one for each operation, and one for all", () => {
  expect(topicsOf({ of: "programs" }, bl)).toEqual({
    CREATE: "programs/create",
    UPDATE: "programs/update",
    DELETE: "programs/delete",
    ALL: "programs/+",
  });
});

test("topics of one object have no creation", () => {
  expect(topicsOf({ of: "ven", id: "v1" }, bl)).toEqual({
    UPDATE: "vens/v1/update",
    DELETE: "vens/v1/delete",
    ALL: "vens/v1/+",
  });
});

test("topics of what belongs to a program or ven are below it, out of reach of the wildcard of the object", () => {
  expect(topicsOf({ of: "programEvents", id: "p1" }, bl).CREATE).toBe("programs/p1/events/create");
  expect(topicsOf({ of: "venEvents", id: "v1" }, bl).ALL).toBe("vens/v1/events/+");
});

test("a VEN has topics of its own, so that it hears of nothing that it may not see", () => {
  expect(topicsOf({ of: "programEvents", id: "p1" }, ofVen).ALL).toBe("clients/oac_1/programs/p1/events/+");
});

test("topics of the sandbox are apart from those of production", () => {
  expect(topicsOf({ of: "events" }, { ...bl, environment: "sandbox" }).CREATE).toBe("sandbox/events/create");
  expect(topicsOf({ of: "programs" }, { ...ofVen, environment: "sandbox" }).ALL).toBe(
    "sandbox/clients/oac_1/programs/+",
  );
});

const change = (given: Partial<ChangedObject>): ChangedObject => ({
  operation: "UPDATE",
  objectType: "EVENT",
  objectId: "x",
  clientId: null,
  programId: null,
  venId: null,
  targets: [],
  ...given,
});

test.each([
  [{ objectType: "PROGRAM" }, [], ["programs/update", "programs/x/update", "vens/v1/programs/update"]],
  [{ objectType: "PROGRAM", operation: "CREATE" }, [], ["programs/create", "vens/v1/programs/create"]],
  [
    { objectType: "EVENT", programId: "p1", operation: "DELETE" },
    ["events/delete"],
    ["programs/p1/events/delete", "vens/v1/events/delete"],
  ],
  [{ objectType: "REPORT", programId: "p1" }, ["reports/update"], []],
  [{ objectType: "SUBSCRIPTION" }, ["subscriptions/update"], []],
  [{ objectType: "VEN" }, ["vens/update"], ["vens/x/update"]],
  [{ objectType: "VEN", operation: "CREATE" }, ["vens/create"], []],
  [{ objectType: "RESOURCE", venId: "v1" }, ["resources/update"], ["vens/v1/resources/update"]],
] as const)(
  "%j is published for business logic on %j, and there and for a VEN below its own root on %j",
  (given, ofAll, topics) => {
    expect(topicsOfChange(change(given), [{ clientId: "oac_1", venId: "v1" }], "production")).toEqual([
      { venClientId: null, topics: [...ofAll, ...topics] },
      { venClientId: "oac_1", topics: topics.map((topic) => `clients/oac_1/${topic}`) },
    ]);
  },
);

test("business logic hears of an event on the topics of all its VENs, each VEN on its own only", () => {
  const vens = ["1", "2"].map((each) => ({ clientId: `oac_${each}`, venId: `v${each}` }));
  expect(topicsOfChange(change({}), vens, "sandbox")).toEqual([
    {
      venClientId: null,
      topics: ["sandbox/events/update", "sandbox/vens/v1/events/update", "sandbox/vens/v2/events/update"],
    },
    {
      venClientId: "oac_1",
      topics: ["sandbox/clients/oac_1/vens/v1/events/update"],
    },
    {
      venClientId: "oac_2",
      topics: ["sandbox/clients/oac_2/vens/v2/events/update"],
    },
  ]);
});

test("a change that no VEN may see is published for business logic only", () => {
  expect(topicsOfChange(change({}), [], "production")).toEqual([{ venClientId: null, topics: ["events/update"] }]);
});
