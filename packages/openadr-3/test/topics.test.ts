import { expect, test } from "vitest";
import { topicOf, topicsOf } from "../src/index.js";

const production = { environment: "production" } as const;

test("topics of a type have one for each operation, and one for all", () => {
  expect(topicsOf({ of: "programs" }, production)).toEqual({
    CREATE: "programs/create",
    UPDATE: "programs/update",
    DELETE: "programs/delete",
    ALL: "programs/+",
  });
});

test("topics of one object have no creation", () => {
  expect(topicsOf({ of: "ven", id: "v1" }, production)).toEqual({
    UPDATE: "vens/v1/update",
    DELETE: "vens/v1/delete",
    ALL: "vens/v1/+",
  });
});

test("topics of what belongs to a program or ven are below it, out of reach of the wildcard of the object", () => {
  expect(topicsOf({ of: "programEvents", id: "p1" }, production).CREATE).toBe("programs/p1/events/create");
  expect(topicsOf({ of: "venEvents", id: "v1" }, production).ALL).toBe("vens/v1/events/+");
  expect(topicOf({ of: "venResources", id: "v1" }, "DELETE", production)).toBe("vens/v1/resources/delete");
});

test("topics of the sandbox are apart from those of production", () => {
  expect(topicsOf({ of: "events" }, { environment: "sandbox" }).CREATE).toBe("sandbox/events/create");
});
