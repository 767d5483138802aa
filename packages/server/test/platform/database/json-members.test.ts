import { expect, expectTypeOf, test } from "vitest";
import { dateFromJson, type JsonOf, jsonMembers } from "../../../src/platform/database/json-members.js";

const ven = jsonMembers("vens", { id: "id", lastPollAt: "last_poll_at", marketContext: "market_context" });

test("members are listed with the columns of their table", () => {
  expect(ven.sql).toBe("'id', vens.id, 'lastPollAt', vens.last_poll_at, 'marketContext', vens.market_context");
});

test("members have the types of their columns, and times are texts", () => {
  expectTypeOf<JsonOf<typeof ven>["id"]>().toEqualTypeOf<string>();
  expectTypeOf<JsonOf<typeof ven>["lastPollAt"]>().toEqualTypeOf<string | null>();
  expect(dateFromJson("2026-11-22T06:00:00+00:00")).toEqual(new Date("2026-11-22T06:00:00Z"));
  expect(dateFromJson(null)).toBeNull();
});

test("a column that the table does not have is refused by the compiler", () => {
  // @ts-expect-error: accounts have no column of this name
  expect(jsonMembers("accounts", { surname: "surname" }).sql).toBe("'surname', accounts.surname");
});
