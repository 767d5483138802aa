import { participantConsole } from "@curtail/contract";
import { expect } from "vitest";
import { httpClient, type Send } from "./http-client.js";
import { newBrowser } from "./people.js";
import { type Participant, type Running, running } from "./running.js";

export let service: Running;

export const prepare = async () => {
  service = await running({ CURTAIL_API_KEY_HEADER: "X-Brand-API-Key" });
};

export let anyone: Send;

export const prepareKey = async () => {
  anyone = httpClient(service.url);
};

export const expectRedirect = async (method: string, path: string, to: string, body?: unknown): Promise<void> => {
  const answer = await anyone(method, path, body);
  expect([answer.status, answer.headers.get("location")], `${method} ${path}`).toEqual([308, to]);
};

export const sitesWith = (headers: Record<string, string>) =>
  httpClient(`${service.url}/2022-04-15`, headers)("GET", "/sites");

export let anna: Participant;

export const prepareHeader = async () => {
  anna = await service.newParticipant();
};

export const accountOf = async (service: Running) => {
  const participant = await service.newParticipant({ name: "Anna's works" });
  const viewer = await newBrowser(service, "participant-viewer", participant.accountId);
  return { participant, account: (await viewer.console(participantConsole.getOwnAccount)).body };
};
