import { changeSchedule } from "@curtail/contract";
import { ahead } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;

export const prepare = async () => {
  service = await running({ CURTAIL_RATE_LIMIT: "100000" });
};

export const period = (from: number, to: number) => ({
  start_time: ahead(service, { hours: from }),
  end_time: ahead(service, { hours: to }),
});

export let anna: Participant;
export let siteId: string;

export const prepareBlock = async () => {
  anna = await service.newParticipant();
  siteId = anna.sites[0]?.id ?? "";
};

export const block = (from: number, to: number) =>
  anna.call(changeSchedule, { params: { site_id: siteId }, body: { available: false, ...period(from, to) } });
