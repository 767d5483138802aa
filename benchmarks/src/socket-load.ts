import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Requests to send over plain sockets, by a process of its own: a client of HTTP would take longer than the service. */
export interface SocketLoad {
  readonly url: string;
  /** Whole requests, sent one after the other, over and over. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Ends after so many requests, or after so long. */
  readonly most: number;
  readonly seconds: number;
}

export interface LoadSent {
  readonly count: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

export const startLoad = (): ChildProcess => fork(fileURLToPath(new URL("./socket-sender.js", import.meta.url)));

/** Every answer must be 200 or 201. */
export const sendLoad = async (load: ChildProcess, order: SocketLoad): Promise<LoadSent> => {
  load.send(order);
  const [result] = (await once(load, "message")) as [LoadSent];
  return result;
};

/** A request for `SocketLoad`. */
export const requestText = (
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): string => {
  const { host, pathname, search } = new URL(url);
  const all = { host, ...headers, ...(body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
};

/** A bare `node:http` server in its own process that answers every request with the same bytes. */
export const startBare = async (headers: Headers, body: string) => {
  const child = fork(fileURLToPath(new URL("./bare-server.js", import.meta.url)));
  child.send({ headers: [...headers].filter(([name]) => !["connection", "date", "keep-alive"].includes(name)), body });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.disconnect() };
};
