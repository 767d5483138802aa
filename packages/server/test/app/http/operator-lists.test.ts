import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ahead, newDispatch, newProgram } from "../../support/dispatching.js";
import { expectError } from "../../support/expect-error.js";
import { type Participant, type Running, running } from "../../support/running.js";

// The operator API: every list is paged by an opaque cursor.
let service: Running;
let anna: Participant;
let programId: string;

beforeAll(async () => {
  service = await running();
  anna = await service.newParticipant({ sites: Array.from({ length: 5 }, () => ["main"]) });
  programId = await newProgram(service, [anna]);
  const site = anna.sites[0]?.id;
  for (let index = 0; index < 5; index++) {
    const hours = { start_time: ahead(service, { hours: index + 1 }), end_time: ahead(service, { hours: index + 2 }) };
    await service.made(operator.createAccount, { body: { name: `Account ${index}` } });
    await service.made(operator.createContact, {
      params: { id: anna.accountId },
      body: {
        name: "Anna",
        email: `a${index}@example.com`,
      },
    });
    await service.made(operator.createKey, { params: { id: anna.accountId }, body: { environment: "production" } });
    await newProgram(service, [], { name: `Program ${index}` });
    await newDispatch(service, programId, hours);
    await anna.call("POST", `/schedule/sites/${site}`, { available: false, ...hours });
  }
});

const page = async (path: string, query: string) => (await service.operator("GET", `${path}?${query}`)).body;

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

test("a list has 100 items a page unless said, and never more than 500", async () => {
  const ben = await service.newParticipant({ sites: [] });
  for (let index = 0; index < 101; index++) {
    await service.made(operator.createSite, { params: { id: ben.accountId }, body: { name: `Site ${index}` } });
  }
  const { items, next_cursor } = await page(`/accounts/${ben.accountId}/sites`, "");
  expect(items).toHaveLength(100);
  expect((await page(`/accounts/${ben.accountId}/sites`, `cursor=${next_cursor}`)).items).toMatchObject([
    { name: "Site 100" },
  ]);
  expectError(
    await service.operator(operator.listAccounts, { query: { limit: 501 } }),
    400,
    /limit is 501; it must be at most 500/,
  );
});

describe("a page of dispatches", () => {
  let program: string;

  /** A dispatch with this many sites. */
  const dispatchOf = async (count: number): Promise<string> => {
    const { id } = await newDispatch(service, program);
    const client = await service.database.pool.connect();
    // Sites that exist only as the dispatch's own.
    await client.query("set session_replication_role = replica");
    await client.query(
      `insert into dispatch_sites (dispatch_id, position, site_id, account_id, name, customer_location_id, dispatch_group)
       select $1, 1 + number, 'site_' || number, $2, 'Site', '', ''
       from generate_series(1, $3 - (select count(*) from dispatch_sites where dispatch_id = $1)) as number`,
      [id, anna.accountId, count],
    );
    // As the version before wrote them: counted.
    await client.query("update dispatches set called_sites = null, called_kw = null where id = $1", [id]);
    await client.query("set session_replication_role = origin");
    client.release();
    return id;
  };
  const pages = async (query = "") => {
    const found: string[][] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const on = cursor === "" ? "" : `&cursor=${cursor}`;
      const { items, next_cursor } = await page("/dispatches", `program_id=${program}&limit=500${query}${on}`);
      for (const { sites, site_count } of items) expect(sites).toHaveLength(query === "" ? site_count : 0);
      found.push(items.map(({ id }: { id: string }) => id));
      cursor = next_cursor;
    }
    return found;
  };

  test("ends at 20,000 sites, and has one dispatch at least", async () => {
    program = await newProgram(service, [anna]);
    const large = await dispatchOf(20_001);
    const [second, first] = [await dispatchOf(5000), await dispatchOf(14_995)];
    const [small, largest] = [await dispatchOf(5), await dispatchOf(19_996)];
    expect(await pages()).toEqual([[largest], [small, first, second], [large]]);
    expect(await pages("&sites=omit")).toEqual([[largest, small, first, second, large]]);
  }, 60_000);
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
