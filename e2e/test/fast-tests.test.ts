import { expect, test } from "vitest";
import { fastTests } from "../../scripts/fast-tests.mjs";

const SERVER = "packages/server";
const [clock, user, users, dispatch, dispatches, alarms, app] = [
  `${SERVER}/test/platform/clock.test.ts`,
  `${SERVER}/test/access/domain/user.test.ts`,
  `${SERVER}/test/access/http/users.test.ts`,
  `${SERVER}/test/dispatch/domain/dispatch.test.ts`,
  `${SERVER}/test/dispatch/http/dispatch.test.ts`,
  `${SERVER}/test/oversight/http/alarms.test.ts`,
  `${SERVER}/test/app/admin.test.ts`,
];
const [pool, large] = [`${SERVER}/test/platform/database/pool.test.ts`, `${SERVER}/test/app/http/large.long.test.ts`];
const [measure, agent, web] = ["measure", "agent", "web"].map((name) => `packages/${name}/test/some.test.ts`);
const [kill, page] = ["e2e/test/kill.test.ts", "e2e/test/browser/looks.test.ts"];
const files = [clock, user, users, dispatch, dispatches, alarms, app, pool, large, measure, agent, web, kill, page];

type Changed = Parameters<typeof fastTests>[0]["changed"];

const all = files.filter((file): file is string => file !== undefined);
/** In any order. */
const setOf = (paths: ReadonlyArray<string | undefined>) => new Set(paths);

const chosenFor = (changed: Changed, seconds: Readonly<Record<string, number>> = {}, mostSeconds = 100) =>
  fastTests({ files: all, changed, seconds: new Map(Object.entries(seconds)), mostSeconds });

test("without a change, or where nobody knows, all tests without a database run", () => {
  for (const changed of [[], null])
    expect(setOf(chosenFor(changed).chosen)).toEqual(setOf([clock, user, dispatch, measure, agent, web]));
});

test("a module of the server has its own tests, and those of the modules above it", () => {
  const { chosen, left } = chosenFor([`${SERVER}/src/dispatch/storage/dispatch-store.ts`]);
  expect(setOf(chosen)).toEqual(setOf([dispatch, dispatches, alarms, app]));
  expect(left).toEqual([]);
});

test("the platform has its own tests and all without a database, and so has the schema", () => {
  for (const path of ["src/platform/http/endpoint.ts", "migrations/0001_initial.sql"])
    expect(setOf(chosenFor([`${SERVER}/${path}`]).chosen)).toEqual(
      setOf([clock, pool, user, dispatch, measure, agent, web]),
    );
});

test("a package has its own tests, and those of the packages that need it", () => {
  expect(setOf(chosenFor(["packages/measure/src/grid.ts"]).chosen)).toEqual(setOf([measure, agent, web]));
  expect(chosenFor(["docs/agent.md"]).chosen).toEqual([]);
});

test("a test that changed runs, whatever it starts, unless it is a long one", () => {
  expect(chosenFor([kill ?? "", large ?? ""]).chosen).toEqual(expect.arrayContaining([kill]));
  expect(chosenFor([kill ?? "", large ?? ""]).chosen).not.toContain(large);
});

test("what there is no time for is left: the farthest, of these the longest", () => {
  const changed = [`${SERVER}/src/access/domain/user.ts`];
  const seconds = { [users ?? ""]: 5, [dispatches ?? ""]: 30, [alarms ?? ""]: 20, [app ?? ""]: 1 };
  expect(chosenFor(changed, seconds, 60).chosen).toEqual([user, dispatch, users, dispatches, alarms, app]);
  expect(chosenFor(changed, seconds, 40)).toEqual({ chosen: [user, dispatch, users, dispatches], left: [alarms, app] });
});
