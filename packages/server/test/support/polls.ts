import { request } from "node:http";
import { expect } from "vitest";
import { newProgram } from "./dispatching.js";
import { type Participant, type Running, running } from "./running.js";

// Plain polls are answered from memory, ahead of the framework; one that announces a body, even an empty one, by the framework.
export let service: Running;
export let other: string;
export let anna: Participant;
export let program: string;

export const prepare = async () => {
  service = await running({ CURTAIL_RATE_LIMIT_DISPATCHES: "40" });
  other = await service.another();
};

export const prepareEach = async () => {
  anna = await service.newParticipant();
  program = await newProgram(service, [anna]);
  await accepted(anna);
};

/** The first request of a key is answered by the framework; its polls after that need not be. */
export const accepted = async ({ call }: Participant): Promise<void> => {
  expect((await call("GET", "/sites")).status).toBe(200);
};

interface Raw {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

export const get = (url: string, headers: Record<string, string>): Promise<Raw> =>
  new Promise((resolve, reject) => {
    request(url, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks).toString() }),
      );
    })
      .on("error", reject)
      .end();
  });

export const polled = (url = service.url, key = anna.key): Promise<Raw> =>
  get(`${url}/2022-04-15/dispatches`, { "x-service-api-key": key });

export const byFramework = (key = anna.key): Promise<Raw> =>
  get(`${service.url}/2022-04-15/dispatches`, { "x-service-api-key": key, "content-length": "0" });

export const ids = async (): Promise<string[]> => listedIn(await polled()).map(({ id }) => id);

export const listedIn = ({ body }: Raw): Array<{ id: string; modification_number: number }> =>
  JSON.parse(body).dispatches;
