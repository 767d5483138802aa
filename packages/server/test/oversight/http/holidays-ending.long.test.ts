import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { measuredProgram } from "../../support/measuring.js";
import { running } from "../../support/running.js";

test("a program with a calendar is named in the November before a year that it does not reach, until it is confirmed", async () => {
  const service = await running();
  service.clock.set(new Date("2026-10-01T12:00:00Z"));
  const participant = await service.newParticipant();
  const timezone = "America/New_York";
  // A day that was added for a later year does not say that the calendar reaches it.
  const settings = { timezone, holiday_calendar: "US-NY", added_holidays: ["2028-01-03"] };
  const id = await measuredProgram(service, [participant], settings);
  const about = { kind: "holidays_ending", id };
  for (const time of ["2026-11-30T12:00:00Z", "2027-10-31T12:00:00Z"]) {
    service.clock.set(new Date(time));
    await judgeOnce(service);
    expect(await alarmsAbout(service, about)).toEqual([]);
  }
  service.clock.set(new Date("2027-11-01T05:00:00Z"));
  const [alarm] = await untilAlarms(service, about, 1);
  expect(alarm?.message).toMatch(/end before 2028.*Confirm those of its calendar, .*New York/);
  const { update, to_year } = await service.made(operator.getProgramHolidays, { params: { id } });
  expect(to_year).toBe(2027);
  expect(update?.to_year).toBe(2028);
  expect(update?.days.map(({ date, change }) => `${change} ${date.slice(0, 4)}`)).toContain("add 2028");
  expect(update?.days.every(({ date }) => date.startsWith("2028"))).toBe(true);
  const body = { version: update?.version ?? "", to_year: 2028 };
  const confirmed = await service.made(operator.confirmHolidays, { params: { id }, body });
  expect(confirmed).toMatchObject({ from_year: 2025, to_year: 2028, update: null });
  await untilAlarms(service, about, 0);
}, 60_000);
