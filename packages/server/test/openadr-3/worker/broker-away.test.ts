import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { freePort } from "@curtail/testing/free-port";
import { startBroker, withoutMosquitto } from "@curtail/testing/mosquitto";
import { expect, test } from "vitest";
import { runningVtn } from "../../support/openadr-3.js";

test.skipIf(withoutMosquitto !== null)(
  "a broker that is away delays nothing but its messages, and raises an alarm until it is back",
  async () => {
    const port = await freePort();
    const vtn = await runningVtn({
      CURTAIL_OPENADR3_MQTT_URL: `mqtt://127.0.0.1:${port}`,
      CURTAIL_OPENADR3_MQTT_ACCESS: "broker",
    });
    const bl = await vtn.bl();
    await bl.programs.made({ programName: "Program" });
    const standing = async () =>
      (await vtn.made(operator.listAlarms)).items.filter(({ kind }) => kind === "broker_behind");
    vtn.clock.advance({ seconds: 50 });
    await bl.programs.made({ programName: "Later" });
    vtn.clock.advance({ seconds: 11 });
    await expect.poll(standing).toMatchObject([{ subject: "CURTAIL_OPENADR3_MQTT_URL", account_id: null }]);
    const folder = await mkdtemp(join(tmpdir(), "curtail-broker-"));
    const broker = await startBroker(folder, port);
    atEnd(async () => {
      await broker.stop();
      await rm(folder, { recursive: true });
    });
    const waiting = () => vtn.database.pool.query("select from openadr3_changes where published_at is null");
    await expect.poll(async () => (await waiting()).rowCount, { timeout: 20_000 }).toBe(0);
    vtn.clock.advance({ minutes: 1 });
    await expect.poll(standing).toEqual([]);
  },
);

test("changes of the time before there was a broker wait for nobody", async () => {
  const vtn = await runningVtn();
  await (await vtn.bl()).programs.made({ programName: "Program" });
  vtn.clock.advance({ minutes: 10 });
  const { items } = await vtn.made(operator.listAlarms);
  expect(items.filter(({ kind }) => kind === "broker_behind")).toEqual([]);
});
