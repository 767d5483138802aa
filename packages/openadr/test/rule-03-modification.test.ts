import { expect, test } from "vitest";
import { aDispatch, at, listed } from "./support/examples.js";

test("rule 3: the modification number is the dispatch's, whatever the status", () => {
  const dispatch = aDispatch({ modificationNumber: 4 });
  const numbers = ["12:00:00", "17:55:00", "18:30:00", "19:31:00"].map(
    (time) => listed(at(time), dispatch)[0]?.descriptor.modificationNumber,
  );
  expect(numbers).toEqual([4, 4, 4, 4]);
});
