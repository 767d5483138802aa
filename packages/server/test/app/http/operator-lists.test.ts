import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { expectError } from "../../support/expect-error.js";
import { anna, page, prepare, programId, service } from "../../support/listed-objects.js";

beforeAll(prepare);

/** Every item of a list, page by page, and how many pages it took. */
const walk = async (path: string, limit: number): Promise<{ items: unknown[]; pages: number }> => {
  const items: unknown[] = [];
  let cursor: string | null = "";
  let pages = 0;
  while (cursor !== null) {
    const { items: more, next_cursor } = await page(path, `limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`);
    expect(more.length).toBeLessThanOrEqual(limit);
    items.push(...more);
    pages += 1;
    cursor = next_cursor;
  }
  return { items, pages };
};

describe.each([
  ["accounts", () => "/accounts"],
  ["contacts", () => `/accounts/${anna.accountId}/contacts`],
  ["keys", () => `/accounts/${anna.accountId}/keys`],
  ["sites", () => `/accounts/${anna.accountId}/sites`],
  ["programs", () => "/programs"],
  ["enrolments", () => `/programs/${programId}/sites`],
  ["dispatches", () => "/dispatches"],
  ["schedule blocks", () => `/sites/${anna.sites[0]?.id}/schedule`],
  ["audit entries", () => "/audit"],
])("the list of %s", (_, path) => {
  test("read in pages of two is the list read whole", async () => {
    // When a key was last used is written within a second.
    await vi.waitFor(async () => {
      const whole = await page(path(), "limit=500");
      expect(whole.next_cursor).toBeNull();
      expect(whole.items.length).toBeGreaterThanOrEqual(5);
      const walked = await walk(path(), 2);
      expect(walked.items).toEqual(whole.items);
      expect(walked.pages).toBe(Math.ceil(whole.items.length / 2));
    }, 5000);
  });

  test("has no further page when the last one is full", async () => {
    // When a key was last used is written within a second.
    await vi.waitFor(async () => {
      const { items } = await page(path(), "limit=500");
      expect(await page(path(), `limit=${items.length}`)).toEqual({ items, next_cursor: null });
    }, 5000);
  });
});

// That it has 100 unless said: operator-lists.long.test.ts.
test("a list never has more than 500 items a page", async () => {
  expectError(
    await service.operator(operator.listAccounts, { query: { limit: 501 } }),
    400,
    /limit is 501; it must be at most 500/,
  );
});

test("a list in the order of creation is stable while it grows", async () => {
  const first = await page("/accounts", "limit=3");
  await service.made(operator.createAccount, { body: { name: "Meanwhile" } });
  const rest = await page("/accounts", `limit=500&cursor=${first.next_cursor}`);
  const names = [...first.items, ...rest.items].map((account) => account.name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.at(-1)).toBe("Meanwhile");
});

test("a cursor that was never given is refused", async () => {
  expectError(await service.operator(operator.listAccounts, { query: { cursor: "abc" } }), 400, /cursor is not valid/);
});
