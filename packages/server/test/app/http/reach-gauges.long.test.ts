import { beforeAll, describe, expect, test } from "vitest";
import { prepare, scrape } from "../../support/gauges-of-reach.js";
import { running } from "../../support/running.js";
import { poll } from "../../support/unreachable.js";

beforeAll(prepare);

describe("a scrape is answered with the rest", () => {
  const gauges = ["oldest_undelivered_notice_seconds", "unreached_dispatch_accounts", "open_alarms"];
  const shown = (text: string) => gauges.filter((name) => new RegExp(`^curtail_${name}[ {]`, "m").test(text));

  test("while the database is away, and with all once it is back", async () => {
    const on = await running();
    expect(shown(await scrape(on))).toEqual(gauges);
    await on.database.cutOff();
    await poll(async () => shown(await scrape(on)), []);
    expect(await scrape(on)).toContain("curtail_telemetry_readings_total 0");
    await on.database.letIn();
    await poll(async () => shown(await scrape(on)), gauges);
  });

  test("while the database does not respond a gauge in time", async () => {
    const on = await running();
    const client = await on.database.pool.connect();
    await client.query("begin");
    await client.query("lock table alarms in access exclusive mode");
    expect(shown(await scrape(on))).toEqual(gauges.slice(0, 2));
    await client.query("rollback");
    client.release();
    await poll(async () => shown(await scrape(on)), gauges);
  });
});
