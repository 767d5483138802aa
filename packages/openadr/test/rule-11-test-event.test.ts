import { expect, test } from "vitest";
import { buildMessage } from "../src/build.js";
import { aDispatch, at, distributing, listed } from "./support/examples.js";
import { validate } from "./support/schema.js";

test.each([true, false])("rule 11: testEvent is %s for a dispatch whose test is the same", (isTest) => {
  const xml = buildMessage(distributing(...listed(at("13:00:00"), aDispatch({ test: isTest }))));
  expect(xml).toContain(`<ei:testEvent>${String(isTest)}</ei:testEvent>`);
  validate(xml);
});

test.each(["12:00:00", "17:55:00", "18:30:00", "19:31:00"])("what is listed at %s obeys the schema", (time) => {
  const comment = "Peak of the evening";
  for (const end of [at("19:30:00"), null]) {
    validate(buildMessage(distributing(...listed(at(time), aDispatch({ end, comment })))));
  }
});
