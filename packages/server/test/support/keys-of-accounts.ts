import { httpClient, type Send } from "./http-client.js";
import { type Running, running } from "./running.js";

// Specification, "Authentication", 2: keys are issued through a one-time secure link.
export let service: Running;
export let anyone: Send;

export const prepare = async () => {
  service = await running();
  anyone = httpClient(service.url);
};
export const claim = (url: string, method = "POST", headers = {}) =>
  anyone(method, new URL(url).pathname, undefined, headers);
export const sitesWith = (key: string) =>
  httpClient(`${service.url}/2022-04-15`, { "x-service-api-key": key })("GET", "/sites");

export const claimedKey = async (url: string): Promise<string> =>
  (await httpClient(service.url)("POST", new URL(url).pathname)).body.api_key;
