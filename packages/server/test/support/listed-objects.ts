import { operator } from "@curtail/contract";
import { ahead, newDispatch, newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

// The operator API: every list is paged by an opaque cursor.
export let service: Running;
export let anna: Participant;
export let programId: string;

export const prepare = async () => {
  service = await running();
  anna = await service.newParticipant({ sites: Array.from({ length: 5 }, () => ["main"]) });
  programId = await newProgram(service, [anna]);
  const site = anna.sites[0]?.id;
  for (let index = 0; index < 5; index++) {
    const hours = { start_time: ahead(service, { hours: index + 1 }), end_time: ahead(service, { hours: index + 2 }) };
    await service.made(operator.createAccount, { body: { name: `Account ${index}` } });
    await service.made(operator.createContact, {
      params: { id: anna.accountId },
      body: {
        name: "Anna",
        email: `a${index}@example.com`,
      },
    });
    await service.made(operator.createKey, { params: { id: anna.accountId }, body: { environment: "production" } });
    await newProgram(service, [], { name: `Program ${index}` });
    await newDispatch(service, programId, hours);
    await anna.call("POST", `/schedule/sites/${site}`, { available: false, ...hours });
  }
};

export const page = async (path: string, query: string) => (await service.operator("GET", `${path}?${query}`)).body;
