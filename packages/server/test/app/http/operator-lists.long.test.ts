import { operator } from "@curtail/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { newDispatch, newProgram } from "../../support/dispatching.js";
import { anna, page, prepare, service } from "../../support/listed-objects.js";

beforeAll(prepare);

test("a list has 100 items a page unless said", async () => {
  const ben = await service.newParticipant({ sites: [] });
  const params = { id: ben.accountId };
  for (let index = 0; index < 101; index++)
    await service.made(operator.createSite, { params, body: { name: `Site ${index}` } });
  const { items, next_cursor } = await page(`/accounts/${ben.accountId}/sites`, "");
  expect(items).toHaveLength(100);
  expect((await page(`/accounts/${ben.accountId}/sites`, `cursor=${next_cursor}`)).items).toMatchObject([
    { name: "Site 100" },
  ]);
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
