import type { FastifyInstance } from "fastify";
import type { SessionRoutePorts } from "../../access/caller/session-check.js";
import { KeyMemory } from "../../access/http/key-memory.js";
import { authenticate, claimKey } from "../../access/operations/manage-keys.js";
import { identify } from "../../access/operations/manage-sessions.js";
import { ListMemory } from "../../dispatch/http/list-memory.js";
import { recentOfEach } from "../../dispatch/storage/dispatch-view.js";
import type { PersonNoticePorts } from "../../notification/http/person-notice.js";
import { Calendars } from "../../notification/operations/read-calendar.js";
import {
  accountPolls,
  ReadRecorder,
  recordPoll,
  withReadsRecorded,
} from "../../notification/operations/record-reads.js";
import { tracedReads } from "../../notification/operations/traced-reads.js";
import { calendarReader } from "../../notification/storage/calendar-reader.js";
import { dispatchReadStore } from "../../notification/storage/dispatch-read-store.js";
import { claimCertificate } from "../../openadr/operations/manage-vens.js";
import { accountPollStore } from "../../openadr/storage/usual-polls.js";
import { oidcClient } from "../../platform/runtime/oidc-client.js";
import { totpCodes } from "../../platform/runtime/totp-codes.js";
import type { Addresses } from "../addresses.js";
import type { Basis } from "../basis.js";
import { buildServer } from "../routes/build-server.js";
import type { HealthPorts } from "../routes/health.js";
import { pageFolder } from "../routes/pages.js";
import type { ParticipantService } from "../routes/participant-service.js";
import type { OperationPorts, PeoplePorts, ServerPorts, Side } from "../routes/server-ports.js";
import { earlierOf } from "./earlier-versions.js";
import { rememberedLists, wireFollowing } from "./following.js";
import { operatorTokenCheck } from "./operator-token.js";
import { noteRefusedOver } from "./refused-credentials.js";
import type { RequestNotes } from "./request-notes.js";
import { visibleKinds } from "./visible-kinds.js";

interface ListenerWiring extends Basis, RequestNotes {
  readonly health: HealthPorts;
  readonly production: ParticipantService;
  readonly operator: PeoplePorts;
  readonly notices: PersonNoticePorts;
  readonly addresses: Addresses;
}

/** The listeners of production, not yet listening. */
export interface Listeners {
  readonly app: FastifyInstance;
  /** The operators' listener, if they have one; else `app` serves them. */
  readonly operators: FastifyInstance | null;
  close(): Promise<void>;
  /** Waits for pending writes of the request log; call after closing the listeners. */
  settle(): Promise<void>;
}

export const wireListeners = async (wiring: ListenerWiring): Promise<Listeners> => {
  const { config, pool, logger, clock, addresses } = wiring;
  const { read: readStamps } = wiring.stamps;
  const { tracing } = wiring;
  const reads = new ReadRecorder(dispatchReadStore(pool, tracing !== null), logger, tracedReads(tracing, clock));
  const polls = accountPolls({ archive: accountPollStore(pool), clock, log: logger });
  const recording = { reads, polls, clock };
  const lists = new ListMemory({
    recentOfEach: (accountIds, since) => recentOfEach(pool, accountIds, since),
    clock,
  });
  const { secrets, stores } = wiring.operator;
  const { keys } = stores;
  const memory = new KeyMemory({
    authenticate: (apiKey) => authenticate({ keys, secrets, clock }, apiKey, "production"),
    stamp: wiring.stamps.known.access,
    clock,
    noteUsed: wiring.noteUsedKey,
  });
  const kinds = [...visibleKinds.dispatches, ...visibleKinds.access];
  const following = wireFollowing({ ...wiring, readStamps, kinds, listsOf: rememberedLists(lists), keys });
  const calendars = new Calendars({ clock, readStamps, dispatchesOf: calendarReader(pool) });
  const sessions = sessionPorts(wiring);
  const serve = (side: Side): Promise<FastifyInstance> => {
    const isApart = side === "operators";
    const publicUrl = (isApart ? config.operatorPublicUrl : null) ?? config.publicUrl;
    const address = isApart ? addresses.operatorUrl : addresses.publicUrl;
    return buildServer(
      { ...config, keyHeader: config.apiKeyHeader, publicUrl },
      {
        ...commonPorts(wiring, memory),
        following: following.ports,
        participant: withReadsRecorded(wiring.production, recording),
        polls: {
          readStamps,
          keys: memory,
          lists,
          recordPoll: (caller, dispatches) => recordPoll(recording, caller, dispatches),
          clock,
          observe: wiring.metrics.observeRequest,
          noteRequest: wiring.noteRequest,
        },
        operation: { ...operationPorts(wiring), side, sessions: sessions(address), calendars },
        noteRequest: wiring.noteRequest,
        traced: tracing === null ? null : { tracing, clock },
      },
    );
  };
  const app = await serve(config.operatorPort === null ? "both" : "participants");
  const operators = config.operatorPort === null ? null : await serve("operators");
  return {
    app,
    operators,
    async close() {
      await Promise.all([app.close(), operators?.close()]);
      await following.stop();
    },
    async settle() {
      await Promise.all([reads.settle(), polls.stop()]);
    },
  };
};

const commonPorts = (wiring: ListenerWiring, memory: KeyMemory): Omit<ServerPorts, "participant" | "following"> => ({
  logger: wiring.logger,
  once: wiring.operator.once,
  earlier: earlierOf(wiring.config, wiring.datedIds),
  keys: {
    authenticate: (apiKey) => memory.find(apiKey),
    recently: (apiKey) => memory.recently(apiKey),
    clock: wiring.clock,
  },
  windowsOf: wiring.limits.windowsOf,
  health: wiring.health,
  addresses: wiring.addresses.ofService,
  observe: wiring.metrics.observeRequest,
});

const operationPorts = (wiring: ListenerWiring): Omit<OperationPorts, "calendars" | "side" | "sessions"> => {
  const { operator, notices, production } = wiring;
  const { oidc, operatorToken } = wiring.config;
  return {
    operator,
    notices,
    isOperatorToken: operatorTokenCheck(wiring.pool, operatorToken),
    claimKey: (token) => claimKey(operator, token),
    signOn: oidc === null ? null : { provider: oidcClient(oidc), emailTrust: oidc.emailTrust },
    console: production,
    claimCertificate: (token) => claimCertificate(operator, token),
    pages: pageFolder(),
    brand: wiring.brand,
  };
};

/** Sign-in at an address, with limits shared by all listeners. */
const sessionPorts = ({ brand, logger, metrics, operator, limits }: ListenerWiring) => {
  const { stores, transact, clock, newId, tokens, passwords } = operator;
  const people = { stores, transact, clock, newId, tokens, passwords };
  const shared = {
    ...people,
    totp: totpCodes(brand.name),
    failures: limits.signIns,
    noteRefused: noteRefusedOver(logger, metrics, clock),
    identify: (token: string) => identify(people, token),
  };
  return (address: () => string): SessionRoutePorts => ({
    ...shared,
    get publicUrl() {
      return address();
    },
  });
};
