import { getDispatch, operator } from "@curtail/contract";
import { ahead, newDispatch, newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;

export const prepare = async () => {
  service = await running();
};

let anna: Participant;
export let programId: string;

export const prepareStates = async () => {
  anna = await service.newParticipant();
  programId = await newProgram(service, [anna]);
};

export let id: string;

export const prepareDispatch = async () => {
  ({ id } = await newDispatch(service, programId));
};

export const seen = async () => (await anna.call(getDispatch, { params: { id } })).body;
export const changed = (body: object) => service.operator(operator.changeDispatch, { params: { id }, body });
export const history = async () => (await service.operator(operator.getAnyDispatch, { params: { id } })).body.revisions;

export const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });

export let reader: Participant;
export let readProgram: string;

export const prepareNotified = async () => {
  reader = await service.newParticipant();
  readProgram = await newProgram(service, [reader]);
};

export const get = (id: string) => reader.call(getDispatch, { params: { id } });
export const toldInAnHour = () =>
  newDispatch(service, readProgram, {
    notification_time: ahead(service, { hours: 1 }),
    start_time: ahead(service, { hours: 2 }),
  });
