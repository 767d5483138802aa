import { type Client, type ClientSettings, operatorClient, participantClient } from "@curtail/client";

/** Calls one of the service's interfaces; throws with the service's own message on a refusal. */
export type Api = Client["call"];

export const callSettings: ClientSettings = { timeoutMs: 30_000 };

export const operatorApi = (url: string, token: string): Api => operatorClient({ ...callSettings, url, token }).call;

export const participantApi = (url: string, key: string): Api => participantClient({ ...callSettings, url, key }).call;
