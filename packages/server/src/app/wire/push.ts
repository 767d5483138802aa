import type { Ven } from "../../openadr/domain/ven.js";
import { dueVenPushes, pushQueue } from "../../openadr/storage/push-queue.js";
import type { ServerCertificate } from "../../openadr/vtn/server-certificate.js";
import { pushWorker, sendPush } from "../../openadr/worker/push-worker.js";
import type { AddressPolicy } from "../../platform/attempt.js";
import { type WebhookClient, webhookClient } from "../../platform/outbound/webhook-client.js";
import type { Basis, Stopping } from "../basis.js";

interface PushWiring extends Basis {
  readonly policy: AddressPolicy;
  /** Our client certificate for the VENs' servers. */
  readonly certificate: () => Promise<ServerCertificate>;
  readonly messageFor: (ven: Ven) => Promise<string>;
}

/** Starts pushing events to VENs with an address. */
export const wirePush = (wiring: PushWiring): Stopping => {
  const { vtnPool, logger, clock, policy, certificate, messageFor, gate, due } = wiring;
  const clients = new PushClients(policy, certificate);
  const send = async ({ push }: Ven, body: string) => {
    if (push === null) throw new Error("a VEN without an address was claimed");
    const at = clock.now();
    return { at, ...(await sendPush(await clients.trusting(push.ca), push.url, body)) };
  };
  const ports = { queue: pushQueue(vtnPool), clock, random: Math.random, messageFor, send };
  const worker = pushWorker(ports, logger);
  due.on(dueVenPushes, worker);
  gate.whenReleased(() => worker.start());
  return {
    async stop() {
      await worker.stop();
      await clients.close();
    },
  };
};

/** A client per authority of VENs' servers. */
class PushClients {
  private readonly clients = new Map<string, WebhookClient>();
  private shown: string | null = null;

  constructor(
    private readonly policy: AddressPolicy,
    private readonly certificate: () => Promise<ServerCertificate>,
  ) {}

  /** null: the system's trusted authorities. */
  async trusting(ca: string | null): Promise<WebhookClient> {
    const { key, chain } = await this.certificate();
    if (this.shown !== chain) await this.close();
    this.shown = chain;
    const known = this.clients.get(ca ?? "");
    if (known !== undefined) return known;
    const client = webhookClient(this.policy, { identity: { key, cert: chain }, ca: ca ?? undefined });
    this.clients.set(ca ?? "", client);
    return client;
  }

  /** Waits for open requests. */
  async close(): Promise<void> {
    const clients = [...this.clients.values()];
    this.clients.clear();
    await Promise.all(clients.map((client) => client.close()));
  }
}
