import { operator } from "@curtail/contract";
import { expect } from "vitest";
import { newDispatch, newProgram } from "./dispatching.js";
import { addVenClient, objectsOf } from "./openadr3-objects.js";
import { type Running, running } from "./running.js";

export let service: Running;

export const prepare = async () => {
  service = await running({ CURTAIL_OPENADR3_RETAILER: "Gridworks", CURTAIL_OPENADR3_COUNTRY: "US-TX" });
  service.rebuildsNothing();
};

export const participantWithVen = async (options: Parameters<typeof service.newParticipant>[0] = {}) => {
  const participant = await service.newParticipant(options);
  const client = await addVenClient(service, participant);
  await expect.poll(() => objectsOf(service, "RESOURCE", client.venId)).toHaveLength(participant.sites.length);
  return { participant, client };
};

export const rename = (site: string, customer_location_id: string) =>
  service.made(operator.changeSite, { params: { id: site }, body: { customer_location_id } });

export const change = (id: string, body: object) => service.made(operator.changeDispatch, { params: { id }, body });

export const evidenceOf = async (clientId: string): Promise<Array<readonly [string, number]>> => {
  const { rows } = await service.database.pool.query(
    "select operation, modification_number from openadr3_notices where client_id = $1 order by change_seq",
    [clientId],
  );
  return rows.map(({ operation, modification_number }) => [operation, modification_number] as const);
};

export const dispatched = async (
  body: Parameters<typeof newDispatch>[2] = {},
  options: { commitment?: number | null } = {},
) => {
  const { participant, client } = await participantWithVen({ sites: [["m"], ["m"]] });
  const program = await newProgram(service, [participant], options);
  const dispatch = await newDispatch(service, program, body);
  return { participant, client, dispatch, program };
};

export const programNamed = async (name: string) =>
  (await objectsOf(service, "PROGRAM")).find(
    (program) => program.environment === "production" && program.name === name,
  );
