import {
  ApplicationTag,
  type BACNetAppData,
  type BACNetObjectID,
  ObjectType,
  PropertyIdentifier,
} from "@bacnet-js/client";
import { type BacnetConnection, type BacnetObject, type BacnetPoint } from "../config/bacnet-config.js";
import { BacnetLibrary } from "./bacnet-library.js";
import { allFaulty, messageOf, type PointResult, type Reader, type Writer } from "./device.js";

/** Points of one request: their answer fits into one packet of 480 bytes, the smallest that is usual. */
const POINTS_PER_REQUEST = 20;
const ALL_OF_ARRAY = 0xff_ff_ff_ff;

export type BacnetClient = InstanceType<typeof BacnetLibrary>;

/** Sends and receives for all devices that are asked from one local address and port. */
export const openBacnet = ({ bind, localPort, timeoutMs }: BacnetConnection): BacnetClient => {
  const local = bind === null ? {} : { interface: bind };
  const client = new BacnetLibrary({ apduTimeout: timeoutMs, port: localPort, ...local });
  client.on("error", () => {});
  return client;
};

/** A device that speaks BACnet/IP. */
export class BacnetLink implements Reader<BacnetPoint>, Writer<BacnetPoint> {
  private readonly receiver: { readonly address: string };
  /** Some devices read only one property in a request. */
  private readsMultiple = true;

  constructor(
    private readonly client: BacnetClient,
    { host, port }: BacnetConnection,
  ) {
    this.receiver = { address: `${host}:${port}` };
  }

  async read(points: readonly BacnetPoint[]): Promise<readonly PointResult[]> {
    const results: PointResult[] = [];
    for (let from = 0; from < points.length; from += POINTS_PER_REQUEST)
      results.push(...(await this.readSome(points.slice(from, from + POINTS_PER_REQUEST))));
    return results;
  }

  async write(point: BacnetPoint, value: number | null): Promise<void> {
    const { PRESENT_VALUE } = PropertyIdentifier;
    const { priority } = point;
    const values = [encoded(point, value)];
    try {
      await this.client.writeProperty(this.receiver, objectOf(point), PRESENT_VALUE, values, { priority });
    } catch (cause) {
      throw new Error(faultOf(cause), { cause });
    }
  }

  async readBack(point: BacnetPoint): Promise<PointResult> {
    return await this.readOne(point);
  }

  private async readSome(points: readonly BacnetPoint[]): Promise<readonly PointResult[]> {
    if (points.length > 1 && this.readsMultiple) {
      try {
        return await this.readTogether(points);
      } catch (error) {
        if (isTimeout(error)) return allFaulty(points, faultOf(error));
        this.readsMultiple = false;
      }
    }
    const results: PointResult[] = [];
    for (const point of points) results.push(await this.readOne(point));
    return results;
  }

  private async readTogether(points: readonly BacnetPoint[]): Promise<readonly PointResult[]> {
    const properties = [{ id: PropertyIdentifier.PRESENT_VALUE, index: ALL_OF_ARRAY }];
    const asked = points.map((point) => ({ objectId: objectOf(point), properties }));
    const { values } = await this.client.readPropertyMultiple(this.receiver, asked);
    return points.map((point) => valueAmong(values, objectOf(point)));
  }

  private async readOne(point: BacnetPoint): Promise<PointResult> {
    try {
      const { PRESENT_VALUE } = PropertyIdentifier;
      const { values } = await this.client.readProperty(this.receiver, objectOf(point), PRESENT_VALUE);
      return decoded(values[0]);
    } catch (error) {
      return { fault: faultOf(error) };
    }
  }
}

const objectTypes: Readonly<Record<BacnetObject, ObjectType>> = {
  "analog-input": ObjectType.ANALOG_INPUT,
  "analog-output": ObjectType.ANALOG_OUTPUT,
  "analog-value": ObjectType.ANALOG_VALUE,
  "binary-input": ObjectType.BINARY_INPUT,
  "binary-output": ObjectType.BINARY_OUTPUT,
  "binary-value": ObjectType.BINARY_VALUE,
  "multi-state-input": ObjectType.MULTI_STATE_INPUT,
  "multi-state-output": ObjectType.MULTI_STATE_OUTPUT,
  "multi-state-value": ObjectType.MULTI_STATE_VALUE,
};

const objectOf = ({ object, instance }: BacnetPoint): BACNetObjectID => ({ type: objectTypes[object], instance });

const faultOf = (error: unknown): string => (isTimeout(error) ? "does not answer" : messageOf(error));

const isTimeout = (error: unknown): boolean => messageOf(error).includes("TIMEOUT");

interface ReadObject {
  readonly objectId: BACNetObjectID;
  readonly values: ReadonlyArray<{ readonly value: unknown }>;
}

const valueAmong = (values: readonly ReadObject[], { type, instance }: BACNetObjectID): PointResult => {
  const found = values.find(({ objectId }) => objectId.type === type && objectId.instance === instance);
  const data = found?.values[0]?.value as readonly BACNetAppData[] | undefined;
  return data === undefined ? { fault: "was not in the answer" } : decoded(data[0]);
};

const decoded = (data: BACNetAppData | undefined): PointResult => {
  const value: unknown = data?.value;
  if (typeof value === "number" && Number.isFinite(value)) return { value };
  if (typeof value === "boolean") return { value: Number(value) };
  return { fault: data?.type === ApplicationTag.ERROR ? "the device has no such object" : "is not a number" };
};

/** Binary values are enumerated, multi-state ones unsigned, analogue ones real (ASHRAE 135, clause 12). */
const encoded = ({ object }: BacnetPoint, value: number | null): BACNetAppData => {
  if (value === null) return { type: ApplicationTag.NULL, value: null };
  if (object.startsWith("binary")) return { type: ApplicationTag.ENUMERATED, value: value === 0 ? 0 : 1 };
  if (object.startsWith("multi-state")) return { type: ApplicationTag.UNSIGNED_INTEGER, value: Math.round(value) };
  return { type: ApplicationTag.REAL, value };
};
