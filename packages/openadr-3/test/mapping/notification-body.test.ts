import { expect, test } from "vitest";
import { notificationBody } from "../../src/mapping/notification-body.js";

const object = { id: "evt_1", objectType: "EVENT", createdDateTime: "2026-07-01T18:00:00.000Z", targets: ["a", "b"] };
const bodyOf = (targets: readonly string[] | null): unknown =>
  JSON.parse(notificationBody({ operation: "CREATE", objectType: "EVENT", object, targets }));

test("the body is one JSON object, with the members as the specification names them", () => {
  expect(bodyOf(null)).toEqual({ objectType: "EVENT", operation: "CREATE", object });
});

test("the object has the targets that the recipient may see, or none", () => {
  const { targets: _own, ...rest } = object;
  expect(bodyOf(["b"])).toEqual({ objectType: "EVENT", operation: "CREATE", object: { ...rest, targets: ["b"] } });
  expect(bodyOf([])).toEqual({ objectType: "EVENT", operation: "CREATE", object: rest });
});
