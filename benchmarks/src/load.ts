import { Agent, request } from "undici";

export interface LoadResult {
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

/** Sends the bodies over `connections` connections, each as soon as one is free; every answer must be 200. */
export const upload = (url: string, key: string, bodies: readonly Buffer[], connections: number): Promise<LoadResult> =>
  sendAll(bodies, connections, (body, dispatcher) => postReadings(url, key, body, dispatcher));

/** @param post sends one body; returns its duration in milliseconds */
export const sendAll = async (
  bodies: readonly Buffer[],
  connections: number,
  post: (body: Buffer, dispatcher: Agent) => Promise<number>,
): Promise<LoadResult> => {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const latenciesMs: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      latenciesMs.push(await post(body, dispatcher));
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - started) / 1000;
  await dispatcher.close();
  return { seconds, latenciesMs };
};

/** Sends one upload; returns its duration in milliseconds. */
export const postReadings = async (url: string, key: string, body: Buffer, dispatcher: Agent): Promise<number> => {
  const sent = performance.now();
  const answer = await request(`${url}/2022-04-15/telemetry`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-api-key": key },
    body,
    dispatcher,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`upload answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  return performance.now() - sent;
};
