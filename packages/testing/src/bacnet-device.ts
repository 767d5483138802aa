import { createSocket } from "node:dgram";
import library, {
  ApplicationTag,
  type BACNetAppData,
  type BACNetObjectID,
  type BACNetReadAccess,
  ConfirmedServiceChoice,
  ErrorClass,
  ErrorCode,
  PropertyIdentifier,
} from "@bacnet-js/client";

/** As the agent takes it: Node.js gives a CommonJS module as it is. */
const BacnetLibrary = "default" in library ? library.default : library;

/** A device with objects, made of the server side of the library; keyed `type:instance`. */
export interface BacnetDevice {
  readonly values: Map<string, BACNetAppData>;
  /** What was written, with its priority. */
  readonly written: Array<{ readonly key: string; readonly value: unknown; readonly priority: number | undefined }>;
  readonly requests: string[];
  close(): void;
}

export const startBacnetDevice = async (port: number, { readsMultiple = true } = {}): Promise<BacnetDevice> => {
  const client = new BacnetLibrary({ port, interface: "127.0.0.1" });
  await new Promise<void>((resolve) => {
    client.on("listening", () => resolve());
  });
  const values = new Map<string, BACNetAppData>();
  const written: BacnetDevice["written"] = [];
  const requests: string[] = [];
  const refuse = (address: string, service: number, invokeId: number): void =>
    client.errorResponse({ address }, service, invokeId, ErrorClass.OBJECT, ErrorCode.UNKNOWN_OBJECT);
  client.on("readProperty", ({ header, invokeId, payload }) => {
    requests.push("readProperty");
    const { objectId, property } = payload;
    const value = values.get(`${objectId.type}:${objectId.instance}`);
    const address = header?.sender.address ?? "";
    if (value === undefined) refuse(address, ConfirmedServiceChoice.READ_PROPERTY, invokeId ?? 0);
    else client.readPropertyResponse({ address }, invokeId ?? 0, objectId, property, [value]);
  });
  client.on("readPropertyMultiple", ({ header, invokeId, payload }) => {
    requests.push("readPropertyMultiple");
    const address = header?.sender.address ?? "";
    if (!readsMultiple) return refuse(address, ConfirmedServiceChoice.READ_PROPERTY_MULTIPLE, invokeId ?? 0);
    const read: BACNetReadAccess[] = payload.properties.map(({ objectId }: { objectId: BACNetObjectID }) => ({
      objectId,
      values: [
        {
          property: { id: PropertyIdentifier.PRESENT_VALUE, index: 0xff_ff_ff_ff },
          value: [
            values.get(`${objectId.type}:${objectId.instance}`) ?? {
              type: ApplicationTag.ERROR,
              value: { type: "BacnetError", errorClass: ErrorClass.OBJECT, errorCode: ErrorCode.UNKNOWN_OBJECT },
            },
          ],
        },
      ],
    }));
    client.readPropertyMultipleResponse({ address }, invokeId ?? 0, read);
  });
  client.on("writeProperty", ({ header, service, invokeId, payload }) => {
    const { objectId, value } = payload;
    const key = `${objectId.type}:${objectId.instance}`;
    written.push({ key, value: value.value[0]?.value, priority: value.priority });
    if (value.value[0] !== undefined) values.set(key, value.value[0]);
    client.simpleAckResponse({ address: header?.sender.address ?? "" }, service ?? 0, invokeId ?? 0);
  });
  return { values, written, requests, close: () => client.close() };
};

export const freeUdpPort = async (): Promise<number> => {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => {
    socket.bind(0, "127.0.0.1", resolve);
  });
  const { port } = socket.address();
  await new Promise<void>((resolve) => {
    socket.close(() => resolve());
  });
  return port;
};
