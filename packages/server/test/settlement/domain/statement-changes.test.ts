import { expect, test } from "vitest";
import type { StatementLine } from "../../../src/settlement/domain/statement.js";
import { changesOf } from "../../../src/settlement/domain/statement-changes.js";

const line = (rest: Partial<StatementLine>): StatementLine => ({
  kind: "energy",
  dispatchId: "dis_1",
  startMs: 0,
  version: 1,
  quantity: "40.000",
  unit: "kWh",
  price: "0.1",
  factor: null,
  amount: "4.00",
  words: "delivered",
  ...rest,
});

const site = (...lines: StatementLine[]) => ({
  programId: "prg_1",
  siteId: "site_1",
  name: "Mill",
  currency: "USD",
  lines,
});

test("a line that changed says from what to what", () => {
  const after = line({ version: 2, quantity: "20.000", amount: "2.00" });
  expect(changesOf(site(line({})), site(after))).toMatchObject([
    {
      kind: "energy",
      dispatchId: "dis_1",
      from: "4.00",
      to: "2.00",
      words: "result version 1 → 2; 40.000 → 20.000 kWh",
    },
  ]);
});

test("a line with another result but the same amount is a change, too", () => {
  expect(changesOf(site(line({})), site(line({ version: 2 })))).toMatchObject([
    { from: "4.00", to: "4.00", words: "result version 1 → 2" },
  ]);
});

test("lines that are new or gone are named; the same lines are not", () => {
  const cap = line({ kind: "cap", dispatchId: null, version: null, amount: "3.00", words: "penalties above" });
  expect(changesOf(site(line({})), site(line({}), cap))).toMatchObject([
    { kind: "cap", from: null, to: "3.00", words: "added: penalties above" },
  ]);
  expect(changesOf(site(line({}), cap), site(line({})))).toMatchObject([{ from: "3.00", to: null }]);
  expect(changesOf(site(line({}), cap), site(line({}), cap))).toEqual([]);
  expect(changesOf(null, site(line({})))).toMatchObject([{ from: null, to: "4.00", words: "added: delivered" }]);
});
