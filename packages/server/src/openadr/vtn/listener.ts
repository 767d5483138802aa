import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { TLSSocket } from "node:tls";
import { MAX_MESSAGE_BYTES } from "@curtail/openadr";
import { isAccepted } from "../domain/ven.js";
import { answerMessage, malformed, type VtnReply } from "./answer-message.js";
import { VenIdentities } from "./ven-identity.js";
import type { VtnPorts } from "./vtn-ports.js";

export interface ListenerOptions {
  /** In PEM: the server's key and certificate, and the authority of the VENs' certificates. */
  readonly key: string;
  readonly certificate: string;
  readonly authority: string;
  readonly trustedProxies: readonly string[];
}

export interface VtnListener {
  readonly server: Server;
  /** Lets current requests finish, for a limited time. */
  close(): Promise<void>;
}

/** How long a request may wait for the database: 503 within 10 seconds in any case. */
const PATIENCE_MS = 8000;
const HANDSHAKE_MS = 10_000;
const HEADERS_MS = 10_000;
const IDLE_MS = 15_000;
const REQUEST_MS = 60_000;
/** VENs poll every few seconds to a minute: a new handshake for each poll would cost more than the poll. */
const KEEP_ALIVE_MS = 75_000;
const CLOSE_MS = 10_000;
/** The sender of an oversized body reads the answer only after sending all of it; beyond this it is cut off. */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/**
 * The listener for VENs. All peers pass the TLS handshake, so that an expired certificate of ours can get 403; peers
 * without one of ours are disconnected before any byte of a request is read.
 */
export const vtnListener = (options: ListenerOptions, ports: VtnPorts): VtnListener => {
  const identities = new VenIdentities(options.authority, options.trustedProxies);
  const server = createServer({
    key: options.key,
    cert: options.certificate,
    ca: options.authority,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: "TLSv1.2",
    handshakeTimeout: HANDSHAKE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 2000,
  });
  server.timeout = IDLE_MS;
  server.on("secureConnection", (socket: TLSSocket) => {
    if (identities.admit(socket)) return;
    ports.log.info({ address: socket.remoteAddress }, "a peer without a certificate of this service was disconnected");
    socket.destroy();
  });
  server.on("tlsClientError", (error) => ports.log.debug({ err: error }, "a TLS handshake failed"));
  const replyTo = replier(identities, ports);
  let isClosing = false;
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // An unread request releases its connection, which would otherwise stay until its idle timeout.
    const { socket } = request;
    void replyTo(request).then((reply) => {
      ports.observe(reply?.result ?? "cut_off");
      if (reply === null) socket.destroy();
      else send(response, reply, isClosing);
    });
  });
  return {
    server,
    async close() {
      isClosing = true;
      const cut = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(cut);
    },
  };
};

const send = (response: ServerResponse, { status, xml }: VtnReply, isLast: boolean): void => {
  const body = Buffer.from(xml ?? "");
  response.writeHead(status, {
    "content-length": body.length,
    ...(xml === null ? {} : { "content-type": "application/xml" }),
    ...(status === 405 ? { allow: "POST" } : {}),
    ...(isLast ? { connection: "close" } : {}),
  });
  response.end(body);
};

/** Answers every request; null if the sender is gone or is to be cut off. Never throws. */
const replier =
  (identities: VenIdentities, ports: VtnPorts) =>
  async (request: IncomingMessage): Promise<VtnReply | null> => {
    const body = await readBody(request).catch((error: unknown) => {
      ports.log.debug({ err: error }, "a request was interrupted");
      return null;
    });
    if (body === null) return null;
    const endsMs = performance.now() + PATIENCE_MS;
    const isAwaited = (): boolean => performance.now() < endsMs;
    try {
      return await atMost(PATIENCE_MS, reply(identities, ports, { request, body, isAwaited }));
    } catch (error) {
      ports.log.error({ err: error }, "a VEN received status 503; it keeps its events and retries");
      return { status: 503, xml: null, result: "unavailable" };
    }
  };

interface ReadRequest {
  readonly request: IncomingMessage;
  readonly body: Buffer | "too_large";
  readonly isAwaited: () => boolean;
}

const PATH = /^\/vtn\/([^/?]+)\/OpenADR2\/Simple\/EiEvent(?:\?|$)/;

const reply = async (identities: VenIdentities, ports: VtnPorts, read: ReadRequest): Promise<VtnReply> => {
  const { request, body, isAwaited } = read;
  const { fingerprint, fault } = identities.identify(request);
  if (fault !== null) {
    ports.log.warn({ fault }, "a proxy's x-client-cert-fingerprint header could not be read, so its VEN was refused");
    return forbidden;
  }
  const stamps = await ports.readStamps();
  const identity = fingerprint === null ? null : await ports.channel.memory.identityOf(fingerprint, stamps);
  if (identity === null || !isAccepted(identity, ports.clock.now())) {
    ports.log.warn({ ven: identity?.ven.id, fingerprint }, "a certificate that is no longer valid was refused");
    return forbidden;
  }
  const pathVenId = venIdIn(request.url ?? "");
  if (pathVenId === null) return { status: 404, xml: null, result: "not_found" };
  if (request.method !== "POST") return { status: 405, xml: null, result: "not_found" };
  if (body === "too_large") {
    return malformed(`the message has more than ${MAX_MESSAGE_BYTES} bytes; send less at a time`);
  }
  return answerMessage(ports, { ven: identity.ven, stamps, pathVenId, body, charset: charsetOf(request), isAwaited });
};

const forbidden: VtnReply = { status: 403, xml: null, result: "forbidden" };

const venIdIn = (url: string): string | null => {
  const [, text] = PATH.exec(url) ?? [];
  if (text === undefined) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    // Not valid encoding, so no VEN's name: it is refused like any other.
    return text;
  }
};

const charsetOf = ({ headers }: IncomingMessage): string | null =>
  /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? null;

/** null if it exceeds the limit; throws if it is interrupted. */
const readBody = (request: IncomingMessage): Promise<Buffer | "too_large" | null> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request
      .on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > MAX_DISCARDED_BYTES) resolve(null);
        else if (length <= MAX_MESSAGE_BYTES) chunks.push(chunk);
      })
      .on("end", () => resolve(length > MAX_MESSAGE_BYTES ? "too_large" : Buffer.concat(chunks)))
      .on("error", reject)
      .on("close", () => reject(new Error("the connection was closed")));
  });

const atMost = async <T>(patienceMs: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
};
