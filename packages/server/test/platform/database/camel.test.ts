import { expect, expectTypeOf, test } from "vitest";
import { camel } from "../../../src/platform/database/camel.js";
import { selection } from "../../../src/platform/database/columns.js";

const row = { id: "key_1", last_used_at: null, created_at: new Date(0), secret_hash: "secret", of_a_newer_version: 1 };

test("a row is renamed, and its values are left as they are", () => {
  const renamed = camel({ id: "acc_1", created_at: new Date(0), site_ids_2: ["a_b"] });
  expect(renamed).toEqual({ id: "acc_1", createdAt: new Date(0), siteIds2: ["a_b"] });
  expectTypeOf(renamed).toEqualTypeOf<{
    readonly id: string;
    readonly createdAt: Date;
    readonly siteIds2: string[];
  }>();
});

test("of a row only the selected columns are passed on, neither secrets nor what a newer version added", () => {
  const key = selection("api_keys", ["id", "last_used_at", "created_at"]);
  const renamed = key.camel(row);
  expect(renamed).toEqual({ id: "key_1", lastUsedAt: null, createdAt: new Date(0) });
  expectTypeOf(renamed).toEqualTypeOf<{
    readonly id: string;
    readonly lastUsedAt: Date | null;
    readonly createdAt: Date;
  }>();
});

test("selected columns are listed with their table", () => {
  expect(selection("api_keys", ["id", "created_at"]).columns).toBe("api_keys.id, api_keys.created_at");
});

test("a column that the table does not have is refused by the compiler", () => {
  // @ts-expect-error: accounts have no column of this name
  expect(selection("accounts", ["surname"]).columns).toBe("accounts.surname");
});
