import type { AddressInfo } from "node:net";
import { VenPolls } from "../../openadr/operations/note-ven-polls.js";
import type { PreviewVen, VenDispatches } from "../../openadr/operations/ven-channel.js";
import { venDispatches } from "../../openadr/storage/ven-dispatches.js";
import { venMemory } from "../../openadr/storage/ven-memory.js";
import { venPollStore } from "../../openadr/storage/ven-polls.js";
import { type VtnListener, vtnListener } from "../../openadr/vtn/listener.js";
import { ParsedRequests } from "../../openadr/vtn/parsed-requests.js";
import { Recorded } from "../../openadr/vtn/recorded.js";
import { previewVen, pushMessage } from "../../openadr/vtn/show-events.js";
import type { OpenadrAuthority } from "../../openadr/vtn/ven-authority.js";
import type { VtnPorts } from "../../openadr/vtn/vtn-ports.js";
import type { AddressPolicy } from "../../platform/attempt.js";
import { Polling } from "../../platform/polling.js";
import { newId } from "../../platform/runtime/secrets.js";
import { stampsOrNew } from "../../platform/stamps.js";
import type { Basis, Stopping } from "../basis.js";
import { wirePush } from "./push.js";

/** The OpenADR channel: what the operator API shows of it, and its listener. */
export interface Vtn extends Stopping {
  readonly preview: PreviewVen;
  /** Starts listening; resolves to the port. */
  listen(host: string, port: number): Promise<number>;
  /** The listening port; null if it is not listening. */
  port(): number | null;
}

interface VtnWiring extends Basis {
  readonly authority: OpenadrAuthority;
  /** Addresses that VENs may be pushed to. */
  readonly policy: AddressPolicy;
  /** Dispatches for VENs of the sandbox. */
  readonly scenarios: VenDispatches;
}

const RENEWAL_CHECK_MS = 24 * 3_600_000;

export const wireVtn = (wiring: VtnWiring): Vtn => {
  const { config, vtnPool, logger, clock } = wiring;
  const polls = new VenPolls({
    archive: venPollStore(vtnPool),
    clock,
    newId,
    log: logger,
    monotonicMs: () => performance.now(),
  });
  const production = venDispatches(vtnPool, clock);
  const ports: VtnPorts = {
    channel: {
      memory: venMemory(vtnPool),
      dispatchesOf: ({ environment }) => (environment === "production" ? production : wiring.scenarios),
    },
    // A poll that the database answers slowly is answered late rather than not.
    readStamps: stampsOrNew(wiring.stamps.read),
    clock,
    newId,
    vtnId: config.vtnId,
    requests: new ParsedRequests(),
    omitted: new Recorded(),
    polled: new Recorded(),
    log: logger,
    notePoll: (ven, at) => polls.note(ven, at),
    observe: wiring.metrics.observeVen,
    tracing: wiring.tracing,
  };
  let listener: VtnListener | null = null;
  let renewal: Polling | null = null;
  let push: Stopping | null = null;
  const certificate = () =>
    wiring.authority.serverCertificate(config.openadrHostnames ?? defaultHostnames(config.host));
  return {
    preview: previewVen(ports),
    async listen(host, port) {
      const { key, chain } = await certificate();
      const authority = await wiring.authority.certificate();
      const { openadrTrustedProxies: trustedProxies } = config;
      listener = vtnListener({ key, certificate: chain, authority, trustedProxies }, ports);
      renewal = daily(async () => {
        const renewed = await certificate();
        listener?.server.setSecureContext({ key: renewed.key, cert: renewed.chain, ca: authority });
      }, wiring);
      const { server } = listener;
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host, port }, resolve);
      });
      renewal.start();
      await polls.startListening();
      push = wirePush({ ...wiring, certificate, messageFor: pushMessage(ports) });
      return (server.address() as AddressInfo).port;
    },
    port: () => (listener?.server.address() as AddressInfo | null | undefined)?.port ?? null,
    async stop() {
      await Promise.all([renewal?.stop(), listener?.close(), push?.stop()]);
      await polls.stop();
    },
  };
};

const defaultHostnames = (host: string): string[] => [...new Set(["localhost", "127.0.0.1", "::1", host])];

/** Open connections keep the certificate they started with. */
const daily = (renew: () => Promise<void>, { clock, logger }: Basis): Polling =>
  new Polling({
    look: renew,
    onError: (error) =>
      logger.error({ err: error }, "the server certificate of the OpenADR channel could not be renewed"),
    clock,
    everyMs: RENEWAL_CHECK_MS,
    restsFirst: true,
  });
