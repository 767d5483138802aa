import { readTelemetry } from "@curtail/contract";
import { expect } from "vitest";
import { ahead, newDispatch, newProgram } from "./dispatching.js";
import { type Client31, runningVtn, type Vtn } from "./openadr-3.js";
import { dispatchEvents, objectsOf } from "./openadr3-objects.js";
import type { Participant } from "./running.js";

export let vtn: Vtn;
export const prepare = async () => {
  vtn = await runningVtn();
};

interface Reporter {
  readonly participant: Participant;
  readonly ven: Client31 & { readonly id: string };
  readonly venId: string;
  /** The standing request for telemetry. */
  readonly request: string;
}

export const reporter = async (sites: readonly (readonly string[])[] = [["main"]]): Promise<Reporter> => {
  const participant = await vtn.newParticipant({ sites });
  const ven = await vtn.ven({ participant });
  const [{ id: venId }] = (await ven.vens.search()).body;
  await expect.poll(() => objectsOf(vtn, "EVENT", venId)).toHaveLength(1);
  const [request] = await objectsOf(vtn, "EVENT", venId);
  return { participant, ven, venId, request: request.id };
};

/** The load of a participant's first site in the last hour. */
export const loadOf = async ({ participant }: Pick<Reporter, "participant">) => {
  const site_id = [participant.sites[0]?.id ?? ""];
  const query = { site_id, start_time: ahead(vtn, { hours: -1 }), end_time: ahead(vtn, { minutes: 5 }) };
  const { body } = await participant.call(readTelemetry, { query });
  return body.data.sites[0]?.meters[0]?.telemetry ?? [];
};

export const reportOf = (eventID: string, resourceName: string, payloads: readonly object[], minutes = -10) => ({
  eventID,
  clientName: "gateway",
  resources: [
    {
      resourceName,
      intervalPeriod: { start: ahead(vtn, { minutes }), duration: "PT1M" },
      intervals: [{ id: 0, payloads }],
    },
  ],
});

export const demand = (kw: unknown) => ({ type: "DEMAND", values: [kw] });

export const nameOf = ({ participant }: Reporter): string => participant.sites[0]?.id ?? "";

/** An event of business logic, in a program of its own. */
export const ownEvent = async (more: object = {}) => {
  const bl = await vtn.bl();
  const program = await bl.programs.made({ programName: `Prices of ${bl.id}` });
  const intervals = [{ id: 0, payloads: [{ type: "PRICE", values: [0.2] }] }];
  return { bl, program, event: await bl.events.made({ programID: program.id, intervals, ...more }) };
};

export const dispatched = async () => {
  const sent = await reporter();
  const program = await newProgram(vtn, [sent.participant]);
  const dispatch = await newDispatch(vtn, program, { start_time: ahead(vtn, { minutes: 1 }) });
  await expect.poll(() => dispatchEvents(vtn, sent.venId)).toHaveLength(1);
  const [event] = await dispatchEvents(vtn, sent.venId);
  const report = (state: string) => ({
    eventID: event.id,
    clientName: "gateway",
    resources: [
      {
        resourceName: nameOf(sent),
        intervals: [{ id: 0, payloads: [{ type: "OPERATING_STATE", values: [state] }] }],
      },
    ],
  });
  return { sent, dispatch, event, report };
};

export const answersTo = async (dispatchId: string) =>
  (
    await vtn.database.pool.query(
      "select modification_number, opt, state, resource_names from openadr3_answers where dispatch_id = $1 order by seq",
      [dispatchId],
    )
  ).rows;
