import { operator } from "@curtail/contract";
import { expect } from "vitest";
import { type About, alarmsAbout, judgeOnce } from "./alarms.js";
import { ahead, newDispatch, newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
export let anna: Participant;
export let programId: string;

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  anna = await service.newParticipant({ name: "Anna" });
  programId = await newProgram(service, [anna]);
};

export const started = async () => (await newDispatch(service, programId, { start_time: ahead(service, {}) })).id;
export const end = (id: string) =>
  service.made(operator.changeDispatch, { params: { id }, body: { end_time: ahead(service, {}) } });

export const disable = (body: object = {}) =>
  service.operator(operator.changeAccount, { params: { id: anna.accountId }, body: { disabled: true, ...body } });
export const siteId = () => anna.sites[0]?.id ?? "";
export const withdraw = (query: { confirm_running?: "true" } = {}) =>
  service.operator(operator.withdrawSite, { params: { id: programId, site_id: siteId() }, query });

export const cutOff = (id: string) => ({ kind: "dispatched_cut_off", id });
export const openLong = (id: string) => ({ kind: "dispatch_open_long", id });

/** The alarms that stand once the rules were looked at again. */
export const judged = async (about: About, count: number) => {
  await judgeOnce(service);
  const standing = await alarmsAbout(service, about);
  expect(standing).toHaveLength(count);
  return standing;
};
