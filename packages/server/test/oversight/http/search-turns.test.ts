import { operator, participantConsole } from "@curtail/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Browser, newBrowser } from "../../support/people.js";
import { type Running, running } from "../../support/running.js";

// A search of very many names takes long; here, the names of meters are locked until `letGo`.
let service: Running;
let anna: Browser;
let ben: Browser;
let letGo: () => Promise<void>;

beforeEach(async () => {
  service = await running();
  [anna, ben] = [await viewer(), await viewer()];
  const holder = await service.database.pool.connect();
  await holder.query("begin; lock table meters in access exclusive mode");
  let isHeld = true;
  letGo = async () => {
    if (!isHeld) return;
    isHeld = false;
    await holder.query("rollback");
    holder.release();
  };
});

afterEach(() => letGo());

const viewer = async (): Promise<Browser> =>
  newBrowser(service, "participant-viewer", (await service.newParticipant()).accountId);

const underWay = async (): Promise<number> => {
  const { rows } = await service.database.pool.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity
     where state = 'active' and datname = current_database() and query like '%as found (id, name, detail,%'
       and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
};

const typed = (count: number) => Array.from({ length: count }, (_, index) => "store 140".slice(0, (index % 9) + 1));

const searchesOf = (person: Browser, count: number) =>
  typed(count).map((q) => person.console(participantConsole.searchOwn, { query: { q } }));

test("an account has one search under way, however fast it asks; others wait for none of them", async () => {
  const asked: Array<Promise<{ readonly status: number }>> = searchesOf(anna, 15);
  await vi.waitFor(async () => expect(await underWay()).toBe(1));
  asked.push(...searchesOf(ben, 15));
  await vi.waitFor(async () => expect(await underWay()).toBe(2));
  asked.push(...typed(15).map((q) => service.operator(operator.search, { query: { q } })));
  await vi.waitFor(async () => expect(await underWay()).toBe(3));
  await letGo();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
});

test("more than twenty searches that wait are refused with a word, and nothing is wrong afterwards", async () => {
  const answers: unknown[] = [];
  const asked = searchesOf(anna, 30).map((each) => each.then(({ status, body }) => answers.push([status, body])));
  await vi.waitFor(() => expect(answers).toHaveLength(9));
  const refused = [429, expect.objectContaining({ message: "other searches of yours are under way; wait 1 seconds" })];
  expect(answers).toEqual(Array.from({ length: 9 }, () => refused));
  await letGo();
  await Promise.all(asked);
  expect(answers.slice(9)).toEqual(Array.from({ length: 21 }, () => [200, { items: expect.any(Array) }]));
  expect(await Promise.all(searchesOf(anna, 1))).toMatchObject([{ status: 200 }]);
});
