import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { compressAnswers } from "../../../src/platform/http/compression.js";
import { leastWatched, watchedRequest } from "../../support/main-thread.js";

/** Processor time of the main thread in one turn of the event loop. */
const MOST_MS = 50;
const PIECE = JSON.stringify(
  Array.from({ length: 700 }, (_, at) => ({ timestamp: new Date(at * 30_000).toISOString(), kW: at * 0.37 })),
);
const PIECES = 500;

/** Answers of 20 MB, in one piece or in many. */
const serving = async (): Promise<string> => {
  const app = Fastify();
  compressAnswers(app);
  const whole = Buffer.from(PIECE.repeat(PIECES));
  app.get("/whole", (_request, reply) => reply.type("application/json").send(whole));
  app.get("/pieces", (_request, reply) =>
    reply.type("application/json").send(Readable.from(Array.from({ length: PIECES }, () => Buffer.from(PIECE)))),
  );
  onTestFinished(() => app.close());
  await app.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
};

test.each(["br", "gzip"].flatMap((encoding) => ["whole", "pieces"].map((kind) => [encoding, kind] as const)))(
  "compressing 20 MB by %s (%s) leaves others their turn",
  async (encoding, kind) => {
    const url = await serving();
    const headers = { "accept-encoding": encoding, "x-reply-unwatched": "1" };
    const first = await fetch(`${url}/${kind}`, { headers });
    expect(first.headers.get("content-encoding")).toBe(encoding);
    // An answer that nobody reads would keep its connection, and the server cannot close.
    await first.arrayBuffer();
    const answer = await leastWatched(MOST_MS, () => watchedRequest(`${url}/${kind}`, { method: "GET", headers }));
    expect(answer.text).toBe(PIECE.repeat(PIECES));
    expect(answer.longestMs).toBeLessThan(MOST_MS);
  },
  60_000,
);
