import { expect, test } from "vitest";
import { account, accountName, alarmRule } from "../../../src/oversight/storage/alarm-rule.js";
import {
  count,
  flag,
  oneOf,
  readFacts,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
} from "../../../src/oversight/storage/facts.js";

const readers = {
  name: text,
  sites: count,
  is_late: flag,
  at: time,
  some: texts,
  state: oneOf("kept", "waiting"),
  error: textOrNull,
  until: timeOrNull,
};
const row = {
  name: "Mills",
  sites: 2,
  is_late: false,
  at: "2026-07-01T18:00:00.5+02:00",
  some: ["Yard"],
  state: "kept",
  error: null,
  until: null,
};

test("facts are read as their kinds, and without what is not named", () => {
  expect(readFacts(readers, { ...row, more: 1 })).toEqual({ ...row, at: new Date("2026-07-01T16:00:00.500Z") });
});

test.each([
  ["name", null],
  ["sites", "2"],
  ["is_late", 0],
  ["at", "infinity"],
  ["some", ["Yard", 1]],
  ["some", "Yard"],
  ["state", "sent"],
  ["error", 1],
  ["until", "soon"],
])("a fact that is of another kind is refused by its name: %s", (name, value) => {
  expect(() => readFacts(readers, { ...row, [name]: value })).toThrow(`the fact ${name} is not`);
});

test("a fact that is missing is refused, and so is a row that is none", () => {
  expect(() => readFacts({ name: text }, {})).toThrow("the fact name is not");
  expect(() => readFacts({ name: text }, null)).toThrow("the fact name is not");
});

test("a rule makes a condition of a row", () => {
  const rule = alarmRule({
    kind: "battery_undecided",
    find: "",
    facts: { ...account, meters: count },
    message: (owner) => `${accountName(owner)} has ${owner.meters}`,
  });
  const found = { subject: "acc_1", account_id: "acc_1", account_name: "Mills", meters: 2 };
  expect(rule.condition(found)).toEqual({
    kind: "battery_undecided",
    subject: "acc_1",
    accountId: "acc_1",
    message: "Mills (acc_1) has 2",
  });
  expect(() => rule.condition({ ...found, subject: null })).toThrow("the fact subject is not");
});
