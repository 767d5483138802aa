import { readFileSync, writeFileSync } from "node:fs";
import { operator } from "@curtail/contract";
import { expect } from "vitest";
import { faultyFront } from "../app/faulty-front.js";
import { participantUser } from "../app/participant-run.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;
export let participant: Participant;
export let environment: Record<string, string>;

export const prepare = async () => {
  service = await running();
  participant = await service.newParticipant({ sites: [["main", "roof"]] });
  environment = { CURTAIL_URL: service.url, CURTAIL_API_KEY: participant.key };
};

export const [day, nextDay] = ["2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"];

export const TWO_READINGS = "timestamp,main (kW)\n2026-06-04T00:05:00Z,1\n2026-06-04T00:10:00Z,2\n";

/** Begins to upload a file through a front, and leaves what an interruption after the first reading leaves. */
export const begun = async (run: ReturnType<typeof participantUser>["run"], file: string, onOther = () => {}) => {
  const front = await faultyFront(service.url);
  const through = { ...environment, CURTAIL_URL: front.url };
  front.onOther = onOther;
  front.faults.push({ status: 401 });
  expect((await run(["upload", file], { environment: through })).exitCode).not.toBe(0);
  front.onOther = () => {};
  const state = `${file}.upload.json`;
  const text = readFileSync(state, "utf8");
  expect(text).not.toContain(participant.key);
  writeFileSync(
    state,
    text.replace(/("url": "[^"]*",[^}]*"line": )0/, (_, before: string) => `${before}1`),
  );
  expect(readFileSync(state, "utf8")).not.toBe(text);
  return { front, through };
};

export const get = (...args: readonly string[]) =>
  participantUser().run(["telemetry", "get", ...args], { environment });

export const sandbox = async () => {
  const call = await service.made(operator.createKey, {
    params: { id: participant.accountId },
    body: { environment: "sandbox" },
  });
  const path = new URL(call.claim_url).pathname;
  const { api_key } = (await (await fetch(service.url + path, { method: "POST" })).json()) as { api_key: string };
  return { CURTAIL_URL: service.sandboxUrl, CURTAIL_API_KEY: api_key };
};

export const now = () => service.clock.now();
