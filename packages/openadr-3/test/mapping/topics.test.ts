import { expect, test } from "vitest";
import type { ChangedObject } from "../../src/mapping/notification-targets.js";
import { BL_ROOT, topicPaths, topicsAt, topicsOfChange, venRoot } from "../../src/mapping/topics.js";

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

test("topics of a kind of object have all operations; those of one object, no creation", () => {
  expect(topicsAt(BL_ROOT, topicPaths.programs, { ofOne: false })).toEqual({
    CREATE: "bl/programs/create",
    UPDATE: "bl/programs/update",
    DELETE: "bl/programs/delete",
    ALL: "bl/programs/+",
  });
  expect(topicsAt(venRoot("oac_1"), topicPaths.program("p1"), { ofOne: true })).toEqual({
    UPDATE: "vens/oac_1/programs/p1/update",
    DELETE: "vens/oac_1/programs/p1/delete",
    ALL: "vens/oac_1/programs/p1/+",
  });
});

test.each([
  [{ objectType: "PROGRAM" }, ["programs/update", "programs/x/update"]],
  [{ objectType: "PROGRAM", operation: "CREATE" }, ["programs/create"]],
  [{ objectType: "EVENT", programId: "p1" }, ["events/update", "programs/p1/events/update"]],
  [{ objectType: "EVENT", programId: "p1", operation: "DELETE" }, ["events/delete", "programs/p1/events/delete"]],
  [{ objectType: "REPORT", programId: "p1" }, ["reports/update"]],
  [{ objectType: "SUBSCRIPTION" }, ["subscriptions/update"]],
  [{ objectType: "VEN" }, ["vens/update", "vens/x/update"]],
  [{ objectType: "RESOURCE", venId: "v1" }, ["resources/update"]],
] as const)("%j is published to %j", (given, paths) => {
  expect(topicsOfChange(change(given), [])).toEqual(paths.map((path) => `bl/${path}`));
  expect(topicsOfChange(change(given), ["oac_1"])).toEqual([
    ...paths.map((path) => `bl/${path}`),
    ...paths.map((path) => `vens/oac_1/${path}`),
  ]);
});

test("every topic of a change is one that a client was told of", () => {
  const programs = topicsAt(BL_ROOT, topicPaths.programs, { ofOne: false });
  const one = topicsAt(BL_ROOT, topicPaths.program("x"), { ofOne: true });
  expect(topicsOfChange(change({ objectType: "PROGRAM" }), [])).toEqual([programs.UPDATE, one.UPDATE]);
});
