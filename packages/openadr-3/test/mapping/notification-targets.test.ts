import { describe, expect, test } from "vitest";
import type { ObjectType, Operation } from "../../src/contract/values.js";
import { type ChangedObject, maySee, notifiedBy, type Recipient } from "../../src/mapping/notification-targets.js";

const change = (given: Partial<ChangedObject> = {}): ChangedObject => ({
  operation: "CREATE",
  objectType: "EVENT",
  objectId: "evt_1",
  clientId: null,
  programId: "prog_1",
  venId: null,
  targets: [],
  ...given,
});

const bl: Recipient = { clientId: "bl", grants: null };
const ven = (...targets: string[]): Recipient => ({ clientId: "ven", grants: { venId: "ven_1", targets } });

const filter = (
  given: { programID?: string; targets?: string[]; objects?: ObjectType[]; operations?: Operation[] } = {},
) => {
  const { objects = ["EVENT"], operations = ["CREATE"], ...rest } = given;
  return { ...rest, objectOperations: [{ objects, operations, callbackUrl: "https://ven.example/a" }] };
};

const isNotified = (...given: Parameters<typeof notifiedBy>): boolean => notifiedBy(...given) !== null;

describe("what a client may see", () => {
  test("business logic sees everything", () => {
    expect(maySee(change({ venId: "ven_2", targets: ["a"] }), bl)).toBe(true);
    expect(maySee(change({ objectType: "REPORT", clientId: "ven" }), bl)).toBe(true);
  });

  test.each(["REPORT", "SUBSCRIPTION", "VEN", "RESOURCE"] as const)("a VEN sees its own %s only", (objectType) => {
    expect(maySee(change({ objectType, clientId: "ven" }), ven())).toBe(true);
    expect(maySee(change({ objectType, clientId: "other" }), ven())).toBe(false);
  });

  test.each(["PROGRAM", "EVENT"] as const)("a VEN sees a %s without targets, or with one of its own", (objectType) => {
    expect(maySee(change({ objectType }), ven())).toBe(true);
    expect(maySee(change({ objectType, targets: ["a", "b"] }), ven("b"))).toBe(true);
    expect(maySee(change({ objectType, targets: ["a", "b"] }), ven("c"))).toBe(false);
  });

  test("the event of another VEN stays hidden, whatever its targets are", () => {
    expect(maySee(change({ venId: "ven_2", targets: ["a"] }), ven("a"))).toBe(false);
    expect(maySee(change({ venId: "ven_2" }), ven("a"))).toBe(false);
  });

  test("its own event is visible after its resource was taken away", () => {
    expect(maySee(change({ operation: "DELETE", venId: "ven_1", targets: ["store-12"] }), ven())).toBe(true);
  });

  test("a VEN without a ven object sees no targeted object", () => {
    const none: Recipient = { clientId: "ven", grants: { venId: null, targets: [] } };
    expect(maySee(change({ targets: ["a"] }), none)).toBe(false);
    expect(maySee(change({ venId: "ven_1" }), none)).toBe(false);
  });
});

// The table of fault 8 of the reference implementation, for a VEN that was granted the target.
describe("targets of a subscription", () => {
  test.each([
    [undefined, [], true],
    [undefined, ["group1"], true],
    [["group1"], [], true],
    [["group1"], ["group1"], true],
    [["group1"], ["group2"], false],
  ])("%j, and %j of an event: notified is %s", (asked, targets, expected) => {
    const given = asked === undefined ? {} : { targets: asked };
    expect(isNotified(change({ targets }), ven("group1"), filter(given))).toBe(expected);
    expect(isNotified(change({ targets }), bl, filter(given))).toBe(expected);
  });

  test("cannot ask for what was not granted", () => {
    expect(isNotified(change({ targets: ["group1"] }), ven("group2"), filter({ targets: ["group1"] }))).toBe(false);
    expect(isNotified(change({ targets: ["group1"] }), ven(), filter())).toBe(false);
  });

  test("filter vens and resources of business logic as they do events", () => {
    const wanted = filter({ objects: ["VEN"], targets: ["group1"] });
    expect(isNotified(change({ objectType: "VEN", clientId: "x", targets: ["group1"] }), bl, wanted)).toBe(true);
    expect(isNotified(change({ objectType: "VEN", clientId: "x", targets: ["group2"] }), bl, wanted)).toBe(false);
  });

  test("an object is sent with the targets that its VEN knows", () => {
    const targets = ["group1", "group2", "secret"];
    expect(notifiedBy(change({ targets }), ven("group1", "group2"), filter())?.targets).toEqual(["group1", "group2"]);
    expect(notifiedBy(change({ targets }), ven("group1", "group2"), filter({ targets: ["group2"] }))?.targets).toEqual([
      "group2",
    ]);
    expect(notifiedBy(change({ targets }), bl, filter())?.targets).toBeNull();
    expect(notifiedBy(change({ venId: "ven_1", targets: ["store-12"] }), ven(), filter())?.targets).toEqual([
      "store-12",
    ]);
  });

  test("those of a ven, which only its VEN sees, are not hidden", () => {
    const wanted = filter({ objects: ["VEN"] });
    expect(
      notifiedBy(change({ objectType: "VEN", clientId: "ven", targets: ["a"] }), ven(), wanted)?.targets,
    ).toBeNull();
  });
});

describe("the program of a subscription", () => {
  test.each(["EVENT", "REPORT", "SUBSCRIPTION"] as const)("filters each %s", (objectType) => {
    const wanted = filter({ objects: [objectType], programID: "prog_1" });
    expect(isNotified(change({ objectType }), bl, wanted)).toBe(true);
    expect(isNotified(change({ objectType, programId: "prog_2" }), bl, wanted)).toBe(false);
    expect(isNotified(change({ objectType, programId: null }), bl, wanted)).toBe(false);
  });

  test.each(["PROGRAM", "VEN", "RESOURCE"] as const)("does not filter a %s, which belongs to none", (objectType) => {
    const wanted = filter({ objects: [objectType], programID: "prog_1" });
    expect(isNotified(change({ objectType, objectId: "x", programId: null }), bl, wanted)).toBe(true);
  });
});

const entry = (callbackUrl: string, objects: ObjectType[], operations: Operation[]) => ({
  callbackUrl,
  objects,
  operations,
});

describe("the entries of a subscription", () => {
  test("are told what they ask for, each address once", () => {
    const objectOperations = [
      entry("https://ven.example/a", ["EVENT", "PROGRAM"], ["CREATE", "UPDATE"]),
      entry("https://ven.example/b", ["EVENT"], ["DELETE"]),
      entry("https://ven.example/a", ["EVENT"], ["CREATE"]),
      entry("https://ven.example/c", ["EVENT"], ["CREATE"]),
    ];
    expect(notifiedBy(change(), bl, { objectOperations })?.entries).toEqual([0, 3]);
    expect(notifiedBy(change({ operation: "DELETE" }), bl, { objectOperations })?.entries).toEqual([1]);
    expect(notifiedBy(change({ objectType: "REPORT" }), bl, { objectOperations })).toBeNull();
  });

  test("that ask for READ are told of no change", () => {
    expect(isNotified(change(), bl, filter({ operations: ["READ"] }))).toBe(false);
  });
});
