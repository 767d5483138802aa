import { operator } from "@curtail/contract";
import { expect, test } from "vitest";
import { alarmsAbout, judgeOnce, untilAlarms } from "../../support/alarms.js";
import { firstOf, kwReading, upload } from "../../support/metering.js";
import { running } from "../../support/running.js";

test("an account whose batteries may send either is named until an operator decides for each", async () => {
  const service = await running();
  const anna = await service.newParticipant({ sites: [["one", "two"]] });
  const about = { kind: "battery_undecided", id: anna.accountId };
  const [one = "", two = ""] = anna.sites[0]?.meters ?? [];
  const change = (id: string, body: object) => service.made(operator.changeMeter, { params: { id }, body });
  await upload(anna, [
    kwReading(one, service.clock.now().toISOString(), 5),
    kwReading(two, service.clock.now().toISOString(), 5),
  ]);
  await judgeOnce(service);
  expect(await alarmsAbout(service, about)).toEqual([]);
  // Both at once, as two changes are not: an alarm that stands keeps the text of when it was raised.
  await service.database.pool.query(
    "update meters set asset_type = 'battery', kwh_means = 'undecided' where id = any($1)",
    [[one, two]],
  );
  const [alarm] = await untilAlarms(service, about, 1);
  expect(alarm).toMatchObject({ subject: anna.accountId, account_id: anna.accountId });
  expect(alarm?.message).toMatch(/one of .*, two of /);
  await change(one, { kwh_means: "charge" });
  await judgeOnce(service);
  expect(await alarmsAbout(service, about)).toHaveLength(1);
  await change(two, { asset_type: "load" });
  await untilAlarms(service, about, 0);
  expect(firstOf(anna).meterId).toBe(one);
}, 60_000);
