import { createTestDispatch, operator } from "@curtail/contract";
import { ahead } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;

export const prepare = async () => {
  service = await running();
};

export const times = (from = 1, to = 2) => ({
  start_time: ahead(service, { hours: from }),
  end_time: ahead(service, { hours: to }),
});

export let anna: Participant;

export const prepareTwoSites = async () => {
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
};

export const request = (body: object = times()) => anna.call("POST", "/dispatches", body);

export let limited: Participant;

export const prepareAccount = async () => {
  limited = await service.newParticipant();
};

export const ask = (from = 1, to = 2) =>
  limited.call(createTestDispatch, {
    body: {
      start_time: ahead(service, { hours: from }),
      end_time: ahead(service, { hours: to }),
    },
  });

export const cancelTests = (accountId = limited.accountId) =>
  service.operator(operator.cancelTests, { params: { id: accountId } });
