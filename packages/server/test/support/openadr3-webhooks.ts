import { expect } from "vitest";
import { type CallbackReceiver, callbackReceiver } from "./callback-receiver.js";
import { type Client31, runningVtn, type Vtn } from "./openadr-3.js";

export let vtn: Vtn;
export let bl: Client31;

export const prepare = async () => {
  vtn = await runningVtn();
  bl = await vtn.bl();
};

export const byOrder = (a: string, b: string): number => Number(a > b) - Number(a < b);

interface Asked {
  readonly objects?: readonly string[];
  readonly operations?: readonly string[];
  readonly programID?: string;
  readonly targets?: readonly string[];
  readonly bearerToken?: string;
}

export const asking = (
  url: string,
  { objects = ["EVENT"], operations = ["CREATE"], bearerToken, ...rest }: Asked = {},
) => ({
  clientName: "subscriber",
  ...rest,
  objectOperations: [{ objects, operations, callbackUrl: url, ...(bearerToken === undefined ? {} : { bearerToken }) }],
});

export const subscribed = async (client: Client31, asked: Asked = {}): Promise<CallbackReceiver> => {
  const receiver = await callbackReceiver();
  await client.subscriptions.made(asking(receiver.url, asked));
  return receiver;
};

let count = 0;

export const program = (more: object = {}) => bl.programs.made({ programName: `Program ${++count}`, ...more });
export const priceEvent = (programID: string, more: object = {}) => ({
  programID,
  intervals: [{ id: 0, payloads: [{ type: "PRICE", values: [1.5] }] }],
  ...more,
});

/** The notifications of an object, once there are this many. */
export const callsAbout = async (receiver: CallbackReceiver, id: string, many: number) => {
  const about = () => receiver.calls.filter(({ body }) => body.object.id === id);
  await expect.poll(() => about().length).toBeGreaterThanOrEqual(many);
  return about();
};

/** Something that every subscriber to programs hears of, sent after everything before. */
export const marker = async (receiver: CallbackReceiver): Promise<void> => {
  const { id } = await program();
  await expect.poll(() => receiver.calls.some(({ body }) => body.object.id === id)).toBe(true);
};

export const grantedTo = async (...targets: string[]) => vtn.ven({ targets });
