import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { operator, readTelemetry } from "@curtail/contract";
import { type FaultyFront, faultyFront } from "../app/faulty-front.js";
import { type ParticipantRunOptions, participantUser } from "../app/participant-run.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
export let anna: Participant;
export let front: FaultyFront;
export let user: ReturnType<typeof participantUser>;

export const actAs = (participant: Participant): void => {
  anna = participant;
};

export const prepare = async () => {
  service = await running();
};

export const prepareEach = async () => {
  anna = await service.newParticipant();
  front = await faultyFront(service.url);
  user = participantUser();
};

export const environment = () => ({ CURTAIL_URL: front.url, CURTAIL_API_KEY: anna.key });
export const upload = (args: readonly string[], options: ParticipantRunOptions = {}) =>
  user.run(["upload", ...args], { environment: environment(), speed: 50, ...options });

const START = Date.parse("2026-06-01T00:00:00Z");
export const timeOf = (minute: number): string => new Date(START + minute * 60_000).toISOString().replace(".000Z", "Z");
export const readingAt = (minute: number, change: object = {}) => ({
  meter_id: anna.sites[0]?.meters[0],
  interval_seconds: 60,
  timestamp: timeOf(minute),
  kW: minute,
  ...change,
});
export const linesOf = (...readings: readonly object[]): string =>
  readings.map((each) => `${JSON.stringify(each)}\n`).join("");
export const csv = "timestamp,main (kW)\n2026-06-01T00:01:00Z,1\n2026-06-01T00:02:00Z,2\n";

/** Values of the first hour, by minute. */
export const stored = async (): Promise<readonly number[]> => {
  const query = {
    site_id: [anna.sites[0]?.id ?? ""],
    start_time: timeOf(0),
    end_time: timeOf(60),
    interval_seconds: 60 as const,
  };
  const { body } = await anna.call(readTelemetry, { query });
  return body.data.sites[0]?.meters[0]?.telemetry.map(({ value }) => value) ?? [];
};

export const state = (): string => join(user.home, "state", "curtail");
export const spoolIn = (): string => join(state(), readdirSync(state())[0] ?? "");
/** All that is in the segments of the spool. */
export const kept = (kind = "telemetry"): string => {
  if (!existsSync(state()) || !existsSync(join(spoolIn(), kind))) return "";
  const names = readdirSync(join(spoolIn(), kind)).filter((name) => name.startsWith("segment-"));
  return names.map((name) => readFileSync(join(spoolIn(), kind, name), "utf8")).join("");
};

export const rotated = async () => {
  const next = await service.participantOf(anna.accountId);
  await service.operator(operator.revokeKey, { params: { id: anna.keyId } });
  actAs({ ...anna, key: next.key, call: next.call });
};
export const interrupted = (readings: readonly object[], ...args: readonly string[]) =>
  upload(["-", ...args], {
    stdin: linesOf(...readings),
    onNote: (text, interrupt) => (text.includes("trying again") ? interrupt() : undefined),
  });
/** A folder of that name without a note. */
export const keptIn = async (folder: string, ...readings: readonly object[]) => {
  const before = front.isDown;
  front.isDown = true;
  await interrupted(readings, "--spool", join(state(), folder));
  rmSync(join(state(), folder, "account.json"));
  front.isDown = before;
};
/** As it was named before folders had notes. */
export const oldName = (owner: string, url = front.url) =>
  `upload-${createHash("sha256").update(`${url} ${owner}`).digest("hex").slice(0, 16)}`;
