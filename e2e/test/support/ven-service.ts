import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { expect } from "vitest";
import { newParticipant, newProgram, operate } from "./participant.js";
import { preparedFolder } from "./prepared-data.js";
import { OPERATOR_TOKEN, type ServiceProcess, startProcess } from "./service-process.js";
import { eventsIn, newVen, openadrUrlOf, type Ven } from "./ven.js";

/** A service with a VEN that was shown an event; it ends with the test file. */
export interface VenService {
  readonly ven: Ven;
  readonly dataDir: string;
  /** The event, as the VEN got it. */
  readonly before: string[][];
  readonly end: ServiceProcess["end"];
  /** Starts it again on the same data; returns the VEN at its address. */
  readonly startAgain: () => Promise<Ven>;
}

export const venService = async (): Promise<VenService> => {
  const folder = await preparedFolder();
  atEnd(() => folder.remove());
  const settings = { CURTAIL_DATA_DIR: folder.dataDir, CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN };
  let service = await startProcess(settings);
  atEnd(async () => void (await service.end("SIGTERM")));
  const participant = await newParticipant(service.url, 1);
  const program_id = await newProgram(service.url);
  const [start_time = "", end_time = ""] = [1, 2].map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString(),
  );
  const sites = [{ site_id: participant.sites[0]?.id ?? "" }];
  const { id } = await operate(service.url, operator.createDispatch, { body: { program_id, start_time, sites } });
  await operate(service.url, operator.changeDispatch, { params: { id }, body: { end_time } });
  const ven = await newVen(service.url, openadrUrlOf(service), participant.accountId);
  const before = eventsIn((await ven.poll()).text);
  expect(before).toEqual([[id, "1", "1"]]);
  return {
    ven,
    dataDir: folder.dataDir,
    before,
    end: (signal) => service.end(signal),
    async startAgain() {
      service = await startProcess(settings);
      return ven.at(openadrUrlOf(service));
    },
  };
};
