import { createSocket } from "node:dgram";
import { ApplicationTag } from "@bacnet-js/client";
import { type BacnetDevice, freeUdpPort, startBacnetDevice } from "@curtail/testing/bacnet-device";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import type { BacnetConnection, BacnetObject, BacnetPoint } from "../../src/config/bacnet-config.js";
import { type BacnetClient, BacnetLink, openBacnet } from "../../src/devices/bacnet.js";

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
  expect(await link.read(points)).toEqual(points.map(() => ({ fault: "does not answer" })));
  await expect(link.write(point("analog-value", 4), 1)).rejects.toThrow("does not answer");
  device = await startBacnetDevice(connection.port);
});

/** Octets of ASHRAE 135, Annex F: what follows the invoke id of a request, and of its answer. */
const examples = {
  "F.3.5": ["0c 0c 00000005 19 55", "30 0c 0c 00000005 19 55 3e 44 4290999a 3f"],
  "F.3.7": [
    "0e 0c 00000021 1e 09 55 1f 0c 00000032 1e 09 55 1f 0c 00000023 1e 09 55 1f",
    "30 0e 0c 00000021 1e 29 55 4e 44 42293333 4f 1f 0c 00000032 1e 29 55 5e 91 01 91 1f 5f 1f 0c 00000023 1e 29 55 4e 44 43d9d99a 4f 1f",
  ],
  // With the priority, which the example leaves out: context tag 4, one octet (clause 20.2).
  "F.3.9": ["0f 0c 00800001 19 55 3e 44 43340000 3f 49 0a", "20 0f"],
  "F.3.9, null": ["0f 0c 00800001 19 55 3e 00 3f 49 0a", "20 0f"],
} as const;

const octets = (hex: string): Buffer => Buffer.from(hex.replaceAll(" ", ""), "hex");

/** Answers what it knows by heart. */
const annexDevice = async (): Promise<{ readonly port: number; readonly unknown: string[] }> => {
  const unknown: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message, { port, address }) => {
    // Four octets of BACnet/IP (Annex J), two of the network layer, then type, sizes and invoke id of the request.
    const [invokeId = 0, body] = [message[8], message.subarray(9)];
    const answer = Object.values(examples).find(([request]) => octets(request).equals(body))?.[1];
    if (answer === undefined) unknown.push(body.toString("hex"));
    else socket.send(answered(octets(answer), invokeId), port, address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void socket.close());
  return { port: socket.address().port, unknown };
};

const answered = (answer: Buffer, invokeId: number): Buffer => {
  const apdu = Buffer.concat([answer.subarray(0, 1), Buffer.from([invokeId]), answer.subarray(1)]);
  return Buffer.concat([Buffer.from([0x81, 0x0a, 0, apdu.length + 6, 1, 0]), apdu]);
};

/** A real of 32 bits. */
const near = (value: number) => ({ value: expect.closeTo(value, 4) });

test("requests and answers are the octets of ASHRAE 135, Annex F", async () => {
  const { port, unknown } = await annexDevice();
  const annex = new BacnetLink(client, { ...connection, port });
  expect(await annex.read([point("analog-input", 5)])).toEqual([near(72.3)]);
  expect(await annex.read([33, 50, 35].map((instance) => point("analog-input", instance)))).toEqual([
    near(42.3),
    { fault: "the device has no such object" },
    near(435.7),
  ]);
  await annex.write(point("analog-value", 1), 180);
  await annex.write(point("analog-value", 1), null);
  expect(unknown).toEqual([]);
});
