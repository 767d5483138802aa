import { parseMessage } from "@curtail/openadr";
import { expect, test } from "vitest";
import { ParsedRequests } from "../../../src/openadr/vtn/parsed-requests.js";
import { poll } from "../../support/polls-of-vens.js";

test("polls of many VENs are forgotten rather than kept without end", () => {
  const requests = new ParsedRequests();
  for (let index = 0; index < 21_000; index++) requests.parse(`ven_${index}`, poll(String(index)), null);
  expect(requests.parse("ven_1", poll("2"), null)).toEqual(parseMessage(poll("2"), { charset: null }));
});
