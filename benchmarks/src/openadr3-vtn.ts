import { operator } from "@curtail/contract";
import type { BenchService } from "./service.js";

/** A VTN of OpenADR 3.1 with a program, its events, and tokens of its clients. */
export interface BenchVtn {
  readonly name: string;
  /** With the base path. */
  readonly url: string;
  readonly pid: number;
  /** Of business logic. */
  readonly token: string;
  /** Of VENs. */
  readonly venTokens: readonly string[];
  stop(): Promise<void>;
}

/** Clients are made by this many at a time. */
const AT_ONCE = 8;

/** The clients of the service: business logic, and a VEN of each of so many accounts. */
export const clientsOf = async (service: BenchService, vens: number): Promise<BenchVtn> => {
  const { operate, openadr3Url: url, pid } = service;
  const token = async ({ id, client_secret }: operator.NewOpenadr3Client): Promise<string> => {
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: id,
      client_secret: client_secret ?? "",
    });
    return (await answerOf<{ access_token: string }>(`${url}/auth/token`, { method: "POST", body })).access_token;
  };
  const newVen = async (): Promise<string> => {
    const { id } = await operate(operator.createAccount, { body: { name: "Benchmark" } });
    const body = { name: `VEN of ${id}` };
    return token(await operate(operator.createOpenadrClient, { params: { id }, body }));
  };
  const venTokens: string[] = [];
  while (venTokens.length < vens) venTokens.push(...(await Promise.all(Array.from({ length: AT_ONCE }, newVen))));
  const bl = await token(await operate(operator.createBusinessLogic, { body: { name: "Benchmark" } }));
  return { name: "the service", url, pid, token: bl, venTokens: venTokens.slice(0, vens), stop: () => service.stop() };
};

export const answerOf = async <T>(url: string, options: RequestInit): Promise<T> => {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
};

/** Creates an object; returns its id. */
export const made = async ({ url, token }: BenchVtn, path: string, body: object): Promise<string> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (await answerOf<{ id: string }>(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).id;
};

const START = Date.UTC(2099, 0, 1);

/** A day of prices. */
export const eventBody = (programID: string, nth: number): object => ({
  programID,
  eventName: `Prices ${nth}`,
  priority: 1,
  intervalPeriod: { start: new Date(START + nth * 86_400_000).toISOString(), duration: "PT1H" },
  intervals: Array.from({ length: 24 }, (_, id) => ({ id, payloads: [{ type: "PRICE", values: [0.1 + id / 100] }] })),
});

/** The load of 100 intervals. */
export const reportBody = (eventID: string): object => ({
  eventID,
  clientName: "gateway",
  resources: [
    {
      resourceName: "meter",
      intervalPeriod: { start: new Date(START).toISOString(), duration: "PT15M" },
      intervals: Array.from({ length: 100 }, (_, id) => ({ id, payloads: [{ type: "USAGE", values: [id / 7] }] })),
    },
  ],
});
