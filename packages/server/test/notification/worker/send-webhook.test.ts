import { createServer, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { sendWebhook } from "../../../src/notification/worker/send-webhook.js";
import { randomSecret, verifySignature } from "../../../src/notification/worker/signature.js";
import type { Resolve } from "../../../src/platform/outbound/address-guard.js";
import { webhookClient } from "../../../src/platform/outbound/webhook-client.js";
import {
  answering,
  listening,
  message,
  rawReceiver,
  receiver,
  send,
  withLoopback,
} from "../../platform/outbound/receiver.js";

const LIMIT = 64 * 1024;
const invalid = Buffer.from([0x61, 0xff, 0xfe, 0x62, 0xc0]);

const SLOW_MS = 1500;
const resolvingSlowly: Resolve = async () => {
  await new Promise((resume) => setTimeout(resume, SLOW_MS));
  return [{ address: "127.0.0.1" }];
};

test("the request is a POST of exactly the body, signed, as JSON", async () => {
  const { url, requests } = await receiver(answering(200));
  const client = webhookClient(withLoopback);
  onTestFinished(async () => client.close());
  const secret = randomSecret();
  const body = '{ "event":{"name":""},"resource":"é" }';
  await sendWebhook(message(`${url}?a=b#c`, { body, secrets: [secret] }), { client });
  const [request] = requests;
  expect(request).toMatchObject({ method: "POST", path: "/hook?a=b", body });
  expect(request?.headers).toMatchObject({ "content-type": "application/json", "user-agent": "curtail" });
  const header = (name: string): string => String(request?.headers[name]);
  const signature = {
    "webhook-id": header("webhook-id"),
    "webhook-timestamp": header("webhook-timestamp"),
    "webhook-signature": header("webhook-signature"),
  };
  expect(signature["webhook-id"]).toBe("del_1");
  expect(verifySignature(signature, body, secret, new Date())).toBe(true);
});

test.each([200, 201, 202, 204])("%i is success (Events 5)", async (status) => {
  const { url } = await receiver(answering(status, {}, status === 204 ? "" : "thanks"));
  expect(await send(url)).toEqual({
    ok: true,
    status,
    durationMs: expect.any(Number),
    address: "127.0.0.1",
    error: null,
    responseType: null,
    responseBody: status === 204 ? "" : "thanks",
  });
});

test.each([203, 205, 206, 300, 303, 304, 307, 308, 400, 401, 404, 410, 418, 429, 500, 502, 503, 504])(
  "%i is a failure and is not followed (L16)",
  async (status) => {
    const { url, requests } = await receiver(answering(status, { location: "/elsewhere" }));
    expect(await send(url)).toMatchObject({ ok: false, status, error: `status_${status}`, address: "127.0.0.1" });
    expect(requests).toHaveLength(1);
  },
);

/** Until the connection of the last request may be reused. */
const idle = (): Promise<void> => setImmediate();

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\nX-Note: HTTP/1.1 100\r\n\r\n";

/** Calls back at the end of each request of a connection, with its number. */
const eachRequest = (socket: Socket, answer: (number: number) => void): void => {
  let [text, number] = ["", 0];
  socket.on("data", (bytes: Buffer) => {
    text += bytes.toString("latin1");
    if (!text.endsWith("}")) return;
    text = "";
    number += 1;
    answer(number);
  });
};

/** Answers each request of its one connection with these pieces, a turn of the event loop apart. */
const answeringInPieces = (pieces: readonly string[]): Promise<string> =>
  rawReceiver((socket) => {
    eachRequest(socket.setNoDelay(true), () => {
      const [first = "", ...rest] = pieces;
      socket.write(first);
      for (const [index, piece] of rest.entries()) setTimeout(() => socket.write(piece), 20 * (index + 1));
    });
  });

/** Answers a request after this many interim responses. */
const afterInterim = (count: number): Promise<string> => answeringInPieces([CONTINUE.repeat(count) + OK]);

/** Resets every connection at its second request; `first` does so at the first already. */
const resetting = async (first: boolean) => {
  let [connections, requests] = [0, 0];
  const url = await rawReceiver((socket) => {
    connections += 1;
    eachRequest(socket, (number) => {
      requests += 1;
      if (first || number > 1) socket.resetAndDestroy();
      else socket.write(OK);
    });
  });
  return { url, connections: () => connections, requests: () => requests };
};

describe("interim responses are read past", () => {
  test.each<[string, readonly string[]]>([
    ["100 Continue", [CONTINUE + OK]],
    ["100 Continue with headers, by itself", ["HTTP/1.1 100 Continue\r\nX-Proxy: a\r\n\r\n", OK]],
    ["100 Continue in pieces", ["HTTP/1.1 1", "0", "0 Continue\r", "\n\r", `\n${OK.slice(0, 10)}`, OK.slice(10)]],
    [
      "103 Early Hints, 102 and 100 after each other",
      [HINTS + CONTINUE, "HTTP/1.1 102 Processing\r\n\r\n", CONTINUE + OK],
    ],
  ])("%s", async (_, pieces) => {
    const url = await answeringInPieces(pieces);
    const client = webhookClient(withLoopback);
    onTestFinished(async () => client.close());
    // The second request reuses the connection.
    for (let number = 1; number <= 2; number++) {
      const outcome = await sendWebhook(message(url), { client, attemptMs: 2000 });
      expect(outcome).toMatchObject({ ok: true, status: 200, error: null, responseBody: "ok" });
      await idle();
    }
  });

  test("20 of them, not one more", async () => {
    expect(await send(await afterInterim(20))).toMatchObject({ ok: true, status: 200 });
    expect(await send(await afterInterim(21))).toMatchObject({ ok: false, status: null, error: "bad_response" });
  });

  test("a body that looks like one stays as it is", async () => {
    const body = `${CONTINUE}HTTP/1.1 100 `;
    const url = await answeringInPieces([`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`]);
    expect(await send(url)).toMatchObject({ ok: true, responseBody: body });
  });
});

describe("a reused connection that the receiver resets", () => {
  test("costs no attempt: the request is repeated at once on a fresh connection, with the same id", async () => {
    const { url, connections, requests } = await resetting(false);
    const client = webhookClient(withLoopback);
    onTestFinished(async () => client.close());
    for (let number = 1; number <= 3; number++) {
      expect(await sendWebhook(message(url), { client, attemptMs: 2000 })).toMatchObject({ ok: true, error: null });
      await idle();
    }
    // The second was reset on the first connection and repeated on its own; the third had to dial.
    expect([connections(), requests()]).toEqual([3, 4]);
  });

  test("is repeated once only, and not at all on a connection that was new", async () => {
    const { url, requests } = await resetting(true);
    expect(await send(url)).toMatchObject({ ok: false, error: "connection_reset" });
    expect(requests()).toBe(1);
  });

  test("is not repeated once a response began", async () => {
    let requests = 0;
    const url = await rawReceiver((socket) => {
      eachRequest(socket, (number) => {
        requests += 1;
        if (number === 1) socket.write(OK);
        else socket.end(partial);
      });
    });
    const client = webhookClient(withLoopback);
    onTestFinished(async () => client.close());
    await sendWebhook(message(url), { client });
    await idle();
    expect(await sendWebhook(message(url), { client })).toMatchObject({ ok: false, error: "connection_reset" });
    expect(requests).toBe(2);
  });
});

const partial = "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\nhello";

describe("receivers that misbehave", () => {
  test("one that never answers ends in a timeout that names its address", async () => {
    const outcome = await send(await rawReceiver(() => undefined), { attemptMs: 150 });
    expect(outcome).toMatchObject({ ok: false, status: null, error: "timeout", address: "127.0.0.1" });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(140);
    expect(outcome.durationMs).toBeLessThan(5000);
  });

  test("one that hangs in its body ends in a timeout with what came", async () => {
    const url = await rawReceiver((socket) => void socket.once("data", () => socket.write(partial)));
    expect(await send(url, { attemptMs: 200 })).toMatchObject({
      ok: false,
      status: 200,
      error: "timeout",
      responseBody: "hello",
    });
  });

  test.each([
    ["its body", partial],
    ["its headers", "HTTP/1.1 200 OK\r\nX-Slow: "],
  ])("one that drips %s is cut off in time", async (_, start) => {
    const url = await rawReceiver((socket) => {
      socket.write(start);
      const drip = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(drip));
    });
    const outcome = await send(url, { attemptMs: 250 });
    expect(outcome).toMatchObject({ ok: false, error: "timeout" });
    expect(outcome.durationMs).toBeLessThan(5000);
  });

  test("a name that takes too long to resolve ends in a timeout, and its request is never sent", async () => {
    const { port, requests, connections } = await receiver(answering(200));
    const outcome = await send(`http://slow.test:${port}/`, { attemptMs: 100, resolve: resolvingSlowly });
    expect(outcome).toMatchObject({ ok: false, status: null, error: "timeout", address: null });
    expect(outcome.durationMs).toBeLessThan(SLOW_MS);
    await expect.poll(connections).toBe(1);
    expect(requests).toEqual([]);
  });

  test("one that resets the connection", async () => {
    const url = await rawReceiver((socket) => void socket.once("data", () => socket.resetAndDestroy()));
    expect(await send(url)).toMatchObject({ ok: false, status: null, error: "connection_reset" });
  });

  test("one that resets the connection at once", async () => {
    const url = await rawReceiver((socket) => void socket.resetAndDestroy());
    expect(await send(url)).toMatchObject({ ok: false, status: null, error: "connection_reset" });
  });

  test("one that closes without an answer", async () => {
    const url = await rawReceiver((socket) => void socket.once("data", () => socket.end()));
    expect(await send(url)).toMatchObject({ ok: false, status: null, error: "connection_reset" });
  });

  test("one that closes in the middle of its body", async () => {
    const url = await rawReceiver((socket) => void socket.once("data", () => socket.end(partial)));
    expect(await send(url)).toMatchObject({ ok: false, status: 200, error: "connection_reset" });
  });

  test("one where nothing listens", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    const port = typeof address === "object" ? address?.port : null;
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
      ok: false,
      error: "connection_refused",
      address: "127.0.0.1",
    });
  });

  test.each([
    ["another version of HTTP", "HTTP/9.9 200 OK\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"],
    ["a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nab"],
    ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["headers without end", `HTTP/1.1 200 OK\r\n${"X-Filler: 0123456789\r\n".repeat(2000)}\r\n`],
  ])("one that speaks %s", async (_, bytes) => {
    const url = await rawReceiver((socket) => void socket.once("data", () => socket.write(bytes)));
    expect(await send(url)).toMatchObject({ ok: false, status: null, error: "bad_response" });
  });

  test.each([
    ["switches protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n"],
    ["breaks its chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ["answers a length twice over", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 200 OK\r\n\r\n"],
    ["says 100 over and over", "HTTP/1.1 100 Continue\r\n\r\n".repeat(50)],
    ["sends nothing but NULs", "\0".repeat(100)],
  ])("one that %s is an outcome, not a throw", async (_, bytes) => {
    const url = await rawReceiver((socket) => void socket.once("data", () => socket.end(bytes)));
    expect(await send(url)).toMatchObject({ durationMs: expect.any(Number) });
  });

  test("one that offers http where https is expected", async () => {
    const port = await listening(createServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n")));
    expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({ ok: false, error: "tls" });
  });
});

describe("response bodies", () => {
  test("64 KB are read, and 1 KB of them is kept", async () => {
    const { url } = await receiver(answering(200, {}, "x".repeat(LIMIT)));
    const outcome = await send(url);
    expect(outcome).toMatchObject({ ok: true, error: null, responseBody: "x".repeat(1024) });
  });

  test("one byte more is a failure", async () => {
    const { url } = await receiver(answering(200, {}, "x".repeat(LIMIT + 1)));
    expect(await send(url)).toMatchObject({
      ok: false,
      status: 200,
      error: "response_too_large",
      responseBody: "x".repeat(1024),
    });
  });

  test("one without end is cut off, and its connection closed", async () => {
    let closed = false;
    const { url } = await receiver((response) => {
      const flood = (): void => {
        while (!response.destroyed && response.write("y".repeat(16_384)));
      };
      response.on("drain", flood).on("close", () => (closed = true));
      flood();
    });
    expect(await send(url)).toMatchObject({ ok: false, error: "response_too_large" });
    await expect.poll(() => closed).toBe(true);
  });

  test("the stored text has no half characters and nothing that PostgreSQL cannot store", async () => {
    const { url } = await receiver(answering(200, {}, `\0${"x".repeat(1022)}é`));
    expect((await send(url)).responseBody).toBe(`\uFFFD${"x".repeat(1022)}`);
  });

  test("the stored text cannot steer a terminal, and keeps its tabs and lines", async () => {
    const { url } = await receiver(answering(200, {}, "\u001b[2Jrow\tcell\r\nline\u009b"));
    expect((await send(url)).responseBody).toBe("\uFFFD[2Jrow\tcell\r\nline\uFFFD");
  });

  test("bytes that are no UTF-8 stand as replacement characters", async () => {
    const bytes = Buffer.concat([Buffer.from("HTTP/1.1 500 Oh\r\nContent-Length: 5\r\n\r\n"), invalid]);
    const url = await rawReceiver((socket) => void socket.once("data", () => socket.end(bytes)));
    expect((await send(url)).responseBody).toBe("a\uFFFD\uFFFDb\uFFFD");
  });

  test("there is none without a response", async () => {
    const url = await rawReceiver((socket) => void socket.once("data", () => socket.end()));
    expect(await send(url)).toMatchObject({ status: null, responseType: null, responseBody: null });
  });
});

const typeOf = async (header: string) => {
  const head = `HTTP/1.1 200 OK\r\n${header}\r\nContent-Length: 0\r\n\r\n`;
  const url = await rawReceiver((socket) => void socket.once("data", () => socket.end(Buffer.from(head, "latin1"))));
  return (await send(url)).responseType;
};

describe("the content type", () => {
  test("is kept with its parameters, the first of several", async () => {
    expect(await typeOf("Content-Type: text/html; charset=utf-8")).toBe("text/html; charset=utf-8");
    expect(await typeOf("Content-Type: text/plain\r\nContent-Type: text/html")).toMatch(/^text\/plain/);
  });

  test("is cut at 200 characters, and has nothing but printable ones", async () => {
    expect(await typeOf(`Content-Type: ${"x".repeat(5000)}`)).toBe("x".repeat(200));
    expect(await typeOf("Content-Type: text/\u00e9plain")).toMatch(/^text\/\uFFFD+plain$/);
  });
});
