import { expect, test } from "vitest";
import { canonical } from "../../src/platform/idempotency.js";
import { isLong, jsonInTurns, jsonPieces } from "../../src/platform/long-json.js";

const sites = Array.from({ length: 1001 }, (_, at) => ({ name: `"ä${at}`, id: at, none: undefined, null: null }));
const values: ReadonlyArray<readonly [name: string, value: object]> = [
  ["a long list", sites],
  ["a member that is a long list", { z: 1, sites, none: undefined, at: new Date(0), a: [] }],
  ["long lists in elements of a list", { items: [{ id: 1, sites }, null, undefined, { sites: [] }, { sites }] }],
  [
    "long lists in elements of a long list",
    { items: sites.map((site) => ({ site, of: site.id === 500 ? sites : [] })) },
  ],
  ["nothing long", { sites: sites.slice(0, 10), text: "\ud800" }],
];

test.for(values)("%s is written as JSON.stringify does", async ([, value]) => {
  expect((await jsonInTurns(value)).toString() === Buffer.from(JSON.stringify(value)).toString()).toBe(true);
});

test("a long list is written in many pieces", () => {
  expect(isLong({ sites })).toBe(true);
  const longest = Math.max(...[...jsonPieces({ sites })].map((piece) => piece.length));
  expect(longest).toBeLessThan(JSON.stringify(sites).length / 3);
});

const textOf = (body: object): string => [...canonical({ query: {}, body })].join("");

test("the order of members makes no difference to the text that requests are compared by", () => {
  const body = { b: 1, sites, a: { d: 1, c: 2 } };
  const other = { a: { c: 2, d: 1 }, sites: sites.map(({ name, ...rest }) => ({ ...rest, name })), b: 1 };
  expect(textOf(body)).toBe(textOf(other));
  expect(textOf(body)).not.toBe(textOf({ ...other, sites: sites.slice(1) }));
});

/** Claims of the version before have its hash. */
test("the text that requests are compared by is that of sorted JSON", () => {
  const body = { sites: sites.map(({ id }) => ({ id, a: 1 })), b: 1 };
  const sorted = { body: { b: 1, sites: body.sites.map(({ id }) => ({ a: 1, id })) }, query: {} };
  expect(textOf(body)).toBe(JSON.stringify(sorted));
});
