import { operator } from "@curtail/contract";
import { newDispatch, newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";
import { mailRows, poll } from "./unreachable.js";

export let service: Running;

export const prepare = async () => {
  service = await running();
};

interface Said {
  readonly account_id: string;
  readonly at?: string;
  readonly modification_number?: number;
  readonly person?: string;
  readonly note?: string;
}

export const phone = (id: string, body: Said) =>
  service.operator(operator.recordPhoneCall, {
    params: { id },
    body: { person: "Ana Lopez", note: "starts the generator", ...body },
  });

export const dispatched = async (times: object = {}) => {
  const participant = await service.newParticipant({ name: "Mills" });
  const programId = await newProgram(service, [participant]);
  const { id } = await newDispatch(service, programId, times);
  return { participant, account_id: participant.accountId, id, programId };
};

export const unsent = (id: string, count: number) =>
  poll(async () => (await mailRows(service, id)).filter(({ state }) => state === "no_contacts").length, count);

export let other: Participant;

export const prepareOther = async () => {
  other = await service.newParticipant();
};
