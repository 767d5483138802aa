import { Worker } from "node:worker_threads";
import type { Sent } from "./event-loop.js";

export interface OutsideAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request from another thread, so that the client's work is not the service's. */
export const sendOutside = (url: string, { method, headers, body }: Sent): Promise<OutsideAnswer> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(CLIENT, { eval: true, env: {}, execArgv: [], workerData: { url, method, headers, body } });
    thread.once("message", resolve);
    thread.once("error", reject);
  });

const CLIENT = `
const { parentPort, workerData: { url, method, headers, body } } = require("node:worker_threads");
fetch(url, { method, headers, body, redirect: "manual" }).then(async (answer) =>
  parentPort.postMessage({ status: answer.status, text: await answer.text() }),
);`;
