import { expect, test } from "vitest";
import { Offences } from "../../src/platform/offences.js";

test("lists the first 20 faults and counts the others, whose messages are never made", () => {
  const offences = new Offences();
  let made = 0;
  for (let index = 0; index < 50_000; index++) {
    offences.add(() => {
      made += 1;
      return `telemetry[${index}] is wrong`;
    });
  }
  expect(made).toBe(20);
  expect(offences.refusal()?.message).toMatch(/^telemetry\[0\] is wrong;.*telemetry\[19\] is wrong; and 49980 more\./);
});

test("refuses nothing without a fault", () => {
  expect(new Offences().refusal()).toBeNull();
});
