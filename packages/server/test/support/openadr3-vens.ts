import { operator } from "@curtail/contract";
import { expect } from "vitest";
import { type CallbackReceiver, callbackReceiver } from "./callback-receiver.js";
import { newProgram } from "./dispatching.js";
import { type Evidence, evidenceOf } from "./evidence.js";
import type { Client31, Secret31, Vtn } from "./openadr-3.js";
import { untilEvent, untilResources } from "./openadr3-objects.js";
import type { Participant } from "./running.js";

/** An account whose only channel is a VEN of OpenADR 3, with a program of its sites. */
export interface Equipped {
  readonly participant: Participant;
  readonly ven: Client31 & Secret31;
  readonly venId: string;
  readonly programId: string;
}

/** Waits for the resources of its VEN, so that dispatches become events at once. */
export const equipped = async (vtn: Vtn, options: Parameters<Vtn["newParticipant"]>[0] = {}): Promise<Equipped> => {
  const participant = await vtn.newParticipant(options);
  const ven = await vtn.ven({ participant });
  const [{ id: venId }] = (await ven.vens.search()).body;
  await untilResources(vtn, venId, participant.sites.length);
  return { participant, ven, venId, programId: await newProgram(vtn, [participant]) };
};

/** Waits until the VEN has the event of a dispatch; returns it. */
export const eventOf = (vtn: Vtn, { venId }: Equipped, dispatchId: string) => untilEvent(vtn, venId, dispatchId);

/** Changes a dispatch, and waits until its event follows. */
export const changed = async (vtn: Vtn, id: string, body: object): Promise<void> => {
  const { modification_number } = await vtn.made(operator.changeDispatch, { params: { id }, body });
  const told = async () =>
    (
      await vtn.database.pool.query(
        "select max(modification_number) as last from openadr3_notices where dispatch_id = $1",
        [id],
      )
    ).rows[0]?.last;
  await expect.poll(told).toBe(modification_number);
};

/** Subscribes a client to its events, or to other objects. */
export const calledBack = async (
  { ven }: { readonly ven: Client31 },
  objects: readonly string[] = ["EVENT"],
): Promise<CallbackReceiver> => {
  const receiver = await callbackReceiver();
  await ven.subscriptions.made({
    clientName: "gateway",
    objectOperations: [{ objects, operations: ["CREATE", "UPDATE", "DELETE"], callbackUrl: receiver.url }],
  });
  return receiver;
};

/** Reports an operating state of its first site for an event. */
export const operates = ({ ven, participant }: Equipped, eventID: string, state: string) =>
  ven.reports.made({
    eventID,
    clientName: "gateway",
    resources: [
      {
        resourceName: participant.sites[0]?.id,
        intervals: [{ id: 0, payloads: [{ type: "OPERATING_STATE", values: [state] }] }],
      },
    ],
  });

/** The evidence of a VEN, in short: what, modification, and what matters of it. */
export const toldOf = async (vtn: Vtn, dispatchId: string, { ven }: Equipped): Promise<string[]> =>
  (await evidenceOf(vtn, dispatchId))
    .filter(({ channel, detail }) => channel === "openadr3" && detail.client_id === ven.id)
    .map(inShort);

const inShort = ({ what, detail }: Evidence): string =>
  [
    what,
    detail.modification_number,
    what === "notified" ? detail.operation : (detail.operating_state ?? detail.status ?? detail.reason),
    detail.after_end === true ? "after the end" : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" ");
