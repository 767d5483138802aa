import { operator } from "@curtail/contract";
import { type Browser, newBrowser, newPerson } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
export let anna: Participant;
export let admin: Browser;
export let dispatcher: Browser;
export let auditor: Browser;
export let participants: readonly Browser[];

export const prepare = async () => {
  service = await running();
  anna = await service.newParticipant();
  admin = await newBrowser(service, "operator-admin");
  dispatcher = await newBrowser(service, "operator");
  auditor = await newBrowser(service, "auditor");
  participants = [
    await newBrowser(service, "participant-admin", anna.accountId),
    await newBrowser(service, "participant-viewer", anna.accountId),
  ];
};

export const endpoints = operator.operatorEndpoints.map((each) => [each.method, each.path] as const);
export const named = (path: string): string => path.replaceAll(/\{\w+\}/g, anna.accountId);
export const newestEntry = async (): Promise<string> =>
  (await service.operator(operator.listAudit, { query: { limit: 1 } })).text;

export let user: { id: string; email: string };

export const prepareUser = async () => {
  user = await newPerson(service, "operator");
};
