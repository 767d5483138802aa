import { operator } from "@curtail/contract";
import { freePort } from "@curtail/testing/free-port";
import { withoutMosquitto } from "@curtail/testing/mosquitto";
import { expect, test } from "vitest";
import { OUTSIDE_BROKER } from "../../../src/openadr-3/operations/broker-conditions.js";
import { caughtUp } from "../../support/caught-up.js";
import { venIdOf } from "../../support/mqtt-broker.js";
import { runningVtn, type Vtn } from "../../support/openadr-3.js";
import { newBroker } from "../../support/way-to-broker.js";

/** What waits takes this much at most, of what a VEN wrote. */
const changesBy = async ({ database }: Vtn, clientId: string): Promise<number> => {
  const { rows } = await database.pool.query<{ bytes: number }>(
    "select sum(octet_length(object::text))::int as bytes from openadr3_changes where written_by = $1",
    [clientId],
  );
  return rows[0]?.bytes ?? 0;
};

test.skipIf(withoutMosquitto !== null)(
  "a broker that is away delays nothing but its messages, of which as much waits as a client may write, and raises an alarm until it is back",
  async () => {
    const port = await freePort();
    const vtn = await runningVtn({
      CURTAIL_OPENADR3_MQTT_URL: `mqtt://127.0.0.1:${port}`,
      CURTAIL_OPENADR3_MQTT_ACCESS: "broker",
      CURTAIL_OPENADR3_MAX_REPORT_MB: "1",
    });
    const [bl, ven] = [await vtn.bl(), await vtn.ven()];
    await bl.programs.made({ programName: "Program" });
    const standing = async () =>
      (await vtn.made(operator.listAlarms)).items.filter(({ kind }) => kind === "broker_behind");
    vtn.clock.advance({ seconds: 50 });
    await bl.programs.made({ programName: "Later" });
    vtn.clock.advance({ seconds: 11 });
    await expect.poll(standing).toMatchObject([{ subject: "CURTAIL_OPENADR3_MQTT_URL", account_id: null }]);
    const venID = await venIdOf(ven);
    const attributes = [{ type: "A", values: ["x".repeat(15_000)] }];
    const body = { objectType: "VEN_RESOURCE_REQUEST", resourceName: "Resource", venID, attributes };
    const { id } = await ven.resources.made(body);
    for (let each = 0; each < 80; each++) await ven.resources.update(id, body);
    expect(await changesBy(vtn, ven.id)).toBeLessThanOrEqual(1_050_000);
    await newBroker(port);
    await caughtUp(vtn.database.pool, OUTSIDE_BROKER, 20_000);
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
