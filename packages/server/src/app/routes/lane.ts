import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { RateVerdict } from "../../access/domain/rate-limit.js";

/** Answers some requests ahead of the framework, which takes longer than their answers. */
export interface Lane {
  /**
   * null: none of its requests. false: not answered, nothing done: the framework answers alike. Never throws.
   */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> | null;
}

export const addLane = (server: Server, lane: Lane): void => {
  const others = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    const answered = server.listening ? lane.answer(request, response) : null;
    const pass = (): void => {
      for (const other of others) other(request, response);
    };
    if (answered === null) pass();
    else void answered.then((isAnswered) => isAnswered || pass());
  });
};

/** A GET with nothing unusual about it. */
export const isPlainGet = ({ method, httpVersion, headers }: IncomingMessage): boolean =>
  method === "GET" &&
  httpVersion === "1.1" &&
  headers.host !== undefined &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined;

/** Names and values. */
export const rateHeaders = ({ limit, remaining, resetSeconds }: RateVerdict): readonly string[] => [
  "x-ratelimit-limit",
  `${limit}`,
  "x-ratelimit-remaining",
  `${remaining}`,
  "x-ratelimit-reset",
  `${resetSeconds}`,
];
