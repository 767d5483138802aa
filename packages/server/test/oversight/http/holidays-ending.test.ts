import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { measuredProgram } from "../../support/measuring.js";
import { running } from "../../support/running.js";

test("a program in use whose holidays end is named from November on, until those of the next year are added", async () => {
  const service = await running();
  service.clock.set(new Date("2026-10-31T12:00:00Z"));
  const participant = await service.newParticipant();
  const holidays = ["2026-07-03", "2026-12-25"];
  const timezone = "America/New_York";
  const used = await measuredProgram(service, [participant], { timezone, holidays });
  const others = [
    // Without enrolments, without any holidays, and with those of the next year.
    await measuredProgram(service, [], { timezone, holidays }),
    await measuredProgram(service, [participant], { timezone }),
    await measuredProgram(service, [participant], { timezone, holidays: [...holidays, "2027-01-01"] }),
  ];
  const about = { kind: "holidays_ending", id: used };
  // The month begins at 4:00 UTC there.
  for (const time of ["2026-10-31T12:00:00Z", "2026-11-01T03:00:00Z"]) {
    service.clock.set(new Date(time));
    await judgeOnce(service);
    expect(await alarmsAbout(service, about)).toEqual([]);
  }
  service.clock.set(new Date("2026-11-01T05:00:00Z"));
  const [alarm] = await untilAlarms(service, about, 1);
  expect(alarm).toMatchObject({ subject: used, account_id: null });
  expect(alarm?.message).toContain("end before 2027");
  for (const id of others) expect(await alarmsAbout(service, { ...about, id })).toEqual([]);
  await service.made(operator.changeProgram, {
    params: { id: used },
    body: { holidays: [...holidays, "2027-01-01"] },
  });
  await untilAlarms(service, about, 0);
}, 60_000);
