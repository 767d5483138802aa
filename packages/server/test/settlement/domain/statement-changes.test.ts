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

const changes = (...sites: Parameters<typeof changesOf>) => changesOf(...sites).changes;

test("a line that changed says from what to what", () => {
  const after = line({ version: 2, quantity: "20.000", amount: "2.00" });
  expect(changesOf(site(line({})), site(after)).changes).toMatchObject([
    {
      kind: "energy",
      dispatchId: "dis_1",
      from: "4.00",
      to: "2.00",
      words: "result version 1 → 2; 40.000 → 20.000 kWh",
    },
  ]);
});

test("a line with the same amount that is traced to something else is listed apart", () => {
  const found = changesOf(site(line({})), site(line({ version: 2 })));
  expect(found.changes).toEqual([]);
  expect(found.traces).toMatchObject([{ from: "4.00", to: "4.00", words: "result version 1 → 2" }]);
});

test("a line that is shared with another dispatch than before is a trace, whatever the order of its members", () => {
  const sharedWith = [{ dispatchId: "dis_2", intervals: 7, isPaidHere: true }];
  const stored = [{ intervals: 7, dispatchId: "dis_2", isPaidHere: true }];
  expect(changesOf(site(line({ sharedWith })), site(line({ sharedWith: stored })))).toEqual({
    changes: [],
    traces: [],
  });
  expect(changesOf(site(line({})), site(line({ sharedWith }))).traces).toHaveLength(1);
});

test("lines that are new or gone are named; the same lines are not", () => {
  const cap = line({ kind: "cap", dispatchId: null, version: null, amount: "3.00", words: "penalties above" });
  expect(changes(site(line({})), site(line({}), cap))).toMatchObject([
    { kind: "cap", from: null, to: "3.00", words: "added: penalties above" },
  ]);
  expect(changes(site(line({}), cap), site(line({})))).toMatchObject([{ from: "3.00", to: null }]);
  expect(changes(site(line({}), cap), site(line({}), cap))).toEqual([]);
  expect(changes(null, site(line({})))).toMatchObject([{ from: null, to: "4.00", words: "added: delivered" }]);
});
