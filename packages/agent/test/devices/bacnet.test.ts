import { ApplicationTag } from "@bacnet-js/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { BacnetConnection, BacnetObject, BacnetPoint } from "../../src/config/bacnet-config.js";
import { type BacnetClient, BacnetLink, openBacnet } from "../../src/devices/bacnet.js";
import { type BacnetDevice, freeUdpPort, startBacnetDevice } from "../support/bacnet-device.js";

let device: BacnetDevice;
let connection: BacnetConnection;
let client: BacnetClient;
let link: BacnetLink;

const point = (object: BacnetObject, instance: number, priority = 10): BacnetPoint => ({
  connection: "bms",
  object,
  instance,
  priority,
});

const start = async (options: { readsMultiple?: boolean } = {}): Promise<void> => {
  const port = await freeUdpPort();
  device = await startBacnetDevice(port, options);
  connection = { host: "127.0.0.1", port, bind: "127.0.0.1", localPort: await freeUdpPort(), timeoutMs: 500 };
  client = openBacnet(connection);
  link = new BacnetLink(client, connection);
  device.values.set("0:1", { type: ApplicationTag.REAL, value: 41.5 });
  device.values.set("3:2", { type: ApplicationTag.ENUMERATED, value: 1 });
};

beforeEach(() => start());

const stop = (): void => {
  client.close();
  device.close();
};

afterEach(stop);

const points = [point("analog-input", 1), point("binary-input", 2), point("analog-value", 9)];
const read = [{ value: 41.5 }, { value: 1 }, { fault: expect.any(String) }];

test("present values are read together; an object that is not there is a fault of its own", async () => {
  expect(await link.read(points)).toEqual(read);
  expect(device.requests).toEqual(["readPropertyMultiple"]);
});

test("a device that reads one property in a request is asked one by one", async () => {
  stop();
  await start({ readsMultiple: false });
  expect(await link.read(points)).toEqual(read);
  expect(device.requests).toEqual(["readPropertyMultiple", "readProperty", "readProperty", "readProperty"]);
});

test("values are written with their priority, and released with null", async () => {
  await link.write(point("analog-value", 4, 12), 55);
  await link.write(point("binary-output", 5), 1);
  await link.write(point("analog-value", 4, 12), null);
  expect(device.written).toEqual([
    { key: "2:4", value: 55, priority: 12 },
    { key: "4:5", value: 1, priority: 10 },
    { key: "2:4", value: null, priority: 12 },
  ]);
});

test("what is written is read back", async () => {
  await link.write(point("analog-value", 4), 12.5);
  expect(await link.readBack(point("analog-value", 4))).toEqual({ value: 12.5 });
});

test("a device that does not answer is a fault of each point, and a failed write", async () => {
  device.close();
  expect(await link.read(points)).toEqual(
    points.map(() => ({ fault: `127.0.0.1:${connection.port} does not answer` })),
  );
  await expect(link.write(point("analog-value", 4), 1)).rejects.toThrow();
  device = await startBacnetDevice(connection.port);
});
