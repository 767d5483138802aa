import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhook, deleteWebhook, listWebhooks, operator } from "@curtail/contract";
import type { Api } from "./api.js";
import type { Participant } from "./participants.js";
import { say } from "./say.js";

/** Receives the notices of accounts that do not poll. */
export interface Hooks {
  readonly port: number;
  /** Registers an account here; its notices are verified with the secret that the operator passed on. */
  register(participant: Participant, operatorCall: Api): Promise<void>;
  close(): void;
}

type Told = (participant: Participant, dispatchId: string) => Promise<void>;

interface Receiver {
  readonly participant: Participant;
  secrets: readonly string[];
}

const MAX_BODY_BYTES = 64 * 1024;
const TOLERANCE_SECONDS = 300;
const events = [{ name: "dispatch.create" }, { name: "dispatch.update" }] as const;

export const openHooks = async (wishedPort: number, told: Told): Promise<Hooks> => {
  const receivers = new Map<string, Receiver>();
  const server = createServer((request, response) => {
    answer(request, receivers, told).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => {
        say(`a notice was not accepted: ${error instanceof Error ? error.message : String(error)}`);
        response.writeHead(500).end();
      },
    );
  });
  await listen(server, wishedPort).catch(() => listen(server, 0));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async register(participant, operatorCall) {
      const path = `/hooks/${participant.account.id}`;
      const receiver: Receiver = { participant, secrets: [] };
      receivers.set(path, receiver);
      await registerAt(participant, `http://127.0.0.1:${port}${path}`);
      const { items } = await operatorCall(operator.listAccountWebhooks, { params: { id: participant.account.id } });
      receiver.secrets = items.flatMap(({ secrets }) => secrets);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};

const listen = async (server: Server, port: number): Promise<void> => {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
};

/** The address may differ from that of the previous run. */
const registerAt = async ({ call }: Participant, url: string): Promise<void> => {
  const { webhooks } = await call(listWebhooks);
  if (!webhooks.some((webhook) => webhook.url === url))
    await call(createWebhook, { body: { url, events: [...events] } });
  for (const { id } of webhooks.filter((webhook) => webhook.url !== url)) await call(deleteWebhook, { params: { id } });
};

const answer = async (
  request: IncomingMessage,
  receivers: ReadonlyMap<string, Receiver>,
  told: Told,
): Promise<number> => {
  const receiver = receivers.get(request.url ?? "");
  if (receiver === undefined) return 404;
  const body = await bodyOf(request);
  const { event, resource } = JSON.parse(body) as { event: { name: string }; resource: string };
  // The test request of a registration arrives before the secret can be known.
  if (event.name === "") return 200;
  if (!isSigned(request.headers, body, receiver.secrets)) {
    say(`${receiver.participant.account.name} refused a notice that is not signed with a known secret`);
    return 401;
  }
  await told(receiver.participant, resource.split("/").at(-1) ?? "");
  return 200;
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("the body is too large for a notice");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Standard Webhooks: one valid signature by one of the secrets, and not an old one. */
const isSigned = (headers: IncomingHttpHeaders, body: string, secrets: readonly string[]): boolean => {
  const timestamp = String(headers["webhook-timestamp"] ?? "");
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || ageSeconds > TOLERANCE_SECONDS) return false;
  const given = String(headers["webhook-signature"] ?? "").split(" ");
  const content = `${String(headers["webhook-id"])}.${timestamp}.${body}`;
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const expected = Buffer.from(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
    return given
      .map((each) => Buffer.from(each))
      .some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  });
};
