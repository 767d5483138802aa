import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { atEnd } from "@curtail/testing/at-end";
import { KilledAgent } from "./killed-agent.js";
import { KilledService } from "./killed-service.js";
import { KilledUpload, type UploadSource } from "./killed-upload.js";
import { type ModbusDevice, startModbusDevice } from "./modbus-device.js";
import { outageConfig } from "./outage-config.js";
import { newParticipant, newProgram, type Participant } from "./participant.js";
import { temporaryFolder } from "./service-process.js";
import { readingAt } from "./spool-readings.mjs";

const MINUTE_MS = 60_000;
export const OUTAGE_MS = 48 * 60 * MINUTE_MS;
const AGENT_SITES = 6;
const FILE_SITES = 4;
/** Readings of one file: 48 hours, minute by minute. */
export const FILE_READINGS = (OUTAGE_MS / MINUTE_MS) * FILE_SITES;
/** One of so many files is uploaded from standard input. */
const STANDARD_INPUT_EVERY = 3;
/** The agent's clock begins so long ago that it never reaches the future, of which the service takes no readings. */
const BEFORE_MS = 14 * 24 * 60 * MINUTE_MS;

/** A file, and the readings in it. */
export interface UploadedFile extends Pick<UploadSource, "file" | "by"> {
  readonly meters: readonly string[];
  readonly startMs: number;
  readonly upload: KilledUpload;
}

/** An agent with a Modbus device, and files to upload, beside a service. */
export interface Outage {
  readonly service: KilledService;
  readonly participant: Participant;
  readonly program: string;
  readonly device: ModbusDevice;
  readonly agent: KilledAgent;
  readonly agentFromMs: number;
  readonly spoolFolder: string;
  /** 48 hours each; the first is uploaded while the service is away, the others in a round each. */
  readonly files: readonly UploadedFile[];
  /** A file like the others, for the control. */
  readonly careless: UploadedFile;
}

export const preparedOutage = async (rounds: number): Promise<Outage> => {
  const [service, folder, device] = [await KilledService.start(), await temporaryFolder(), await changingDevice()];
  atEnd(() => folder.remove());
  const participant = await newParticipant(service.url, AGENT_SITES + FILE_SITES);
  const program = await newProgram(service.url);
  const agentFromMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - BEFORE_MS;
  const [config, state] = [join(folder.path, "agent.yaml"), join(folder.path, "state")];
  const access = { url: service.url, key: participant.key };
  const agentSites = participant.sites.slice(0, AGENT_SITES);
  writeFileSync(config, outageConfig({ service: access, state, port: device.port, sites: agentSites }));

  const meters = participant.sites.slice(AGENT_SITES).map(({ meterId }) => meterId);
  const fileOf = (number: number, source: Pick<UploadSource, "by" | "uploader">): UploadedFile => {
    const startMs = agentFromMs - (number + 1) * OUTAGE_MS;
    const file = join(folder.path, `${number}.ndjson`);
    writeFileSync(file, textOf({ meters, startMs }));
    return { file, by: source.by, meters, startMs, upload: new KilledUpload({ file, access, ...source }) };
  };
  const files = Array.from({ length: rounds + 1 }, (_, number) =>
    fileOf(number, { uploader: "curtail", by: number % STANDARD_INPUT_EVERY === 2 ? "-" : "name" }),
  );
  return {
    service,
    participant,
    program,
    device,
    agent: new KilledAgent(config, agentFromMs),
    agentFromMs,
    spoolFolder: join(state, "spool"),
    files,
    careless: fileOf(files.length, { uploader: "careless", by: "name" }),
  };
};

/** Loads change with each look, so that no reading can be taken for another. */
const changingDevice = async (): Promise<ModbusDevice> => {
  let looks = 0;
  const device = await startModbusDevice((address) => (7 * looks++ + address) % 60_000);
  atEnd(() => device.stop());
  return device;
};

const textOf = (of: Pick<UploadedFile, "meters" | "startMs">): string =>
  Array.from({ length: FILE_READINGS }, (_, number) => `${JSON.stringify(readingAt(number, of))}\n`).join("");
