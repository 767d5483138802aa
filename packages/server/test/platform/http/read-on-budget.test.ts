import { expect, test } from "vitest";
import { ReadOnBudget } from "../../../src/platform/http/unread-body.js";

const taken = (budget: ReadOnBudget, address: string, count: number) =>
  Array.from({ length: count }, () => budget.take(address));

test("refused bodies that are read on are bounded for each address, and make room when they end", () => {
  const budget = new ReadOnBudget();
  const held = taken(budget, "192.0.2.1", 100).filter((release) => release !== null);
  expect(held).toHaveLength(16);
  expect(budget.take("192.0.2.2")).not.toBeNull();
  held[0]?.();
  expect(budget.take("192.0.2.1")).not.toBeNull();
  expect(budget.take("192.0.2.1")).toBeNull();
});

test("refused bodies that are read on are bounded for all addresses together", () => {
  const budget = new ReadOnBudget();
  const all = Array.from({ length: 100 }, (_, at) => taken(budget, `192.0.2.${at}`, 2)).flat();
  expect(all.filter((release) => release !== null)).toHaveLength(128);
});
