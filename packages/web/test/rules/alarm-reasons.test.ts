import { type AlarmReason, alarmReasons, countedReason, reasonSentence } from "@curtail/contract/lists/alarm-causes";
import { expect, test } from "vitest";
import { lastReasonSaid, reasonsSaid, saidReasons } from "../../src/rules/alarm-reasons.js";

const names = Object.keys(alarmReasons) as readonly AlarmReason[];

test("reasons are said as the contract words them", () => {
  for (const name of names) {
    for (const n of [1, 12]) expect(saidReasons[name].counted(n)).toBe(countedReason(name, n));
    expect(saidReasons[name].alone).toBe(reasonSentence(name));
  }
});

test("reasons in a text of the service are found, those of a newer version are left", () => {
  const why = "1200 emails bounced, 1 has no channel, 2 moved away";
  expect(reasonsSaid(why)).toBe("1,200 emails bounced, 1 has no channel, 2 moved away");
  expect(lastReasonSaid("North was not notified of Peak relief. Its email bounced.")).toBe("Its email bounced.");
  expect(lastReasonSaid("The disk of the service is almost full.")).toBeNull();
});
