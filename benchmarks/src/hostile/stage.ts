import { basePaths, createClient, errorResponse, participantClient, redeemLink } from "@curtail/client";
import { auth, createWebhook, operator } from "@curtail/contract";
import type { BenchCluster, BenchDatabase } from "../database.js";
import { type BenchParticipant, type BenchService, startService } from "../service.js";
import { startNameServer } from "./name-server.js";
import { RELAY_HOST, type Relay, startRelay } from "./receiver.js";

/** An account with bad intent, with everything that a participant gets. */
export interface Attacker extends BenchParticipant {
  /** Session cookie of an administrator of the account. */
  readonly cookie: string;
}

/** What the sender gets, as JSON. */
export interface Target {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly sandboxKey: string;
  readonly relayUrl: string;
  readonly attackers: readonly Attacker[];
  /** Paths of unused one-time links. */
  readonly links: readonly string[];
  /** A dispatch of the attackers' sites. */
  readonly dispatchId: string;
}

export interface Stage {
  readonly service: BenchService;
  readonly relay: Relay;
  /** Polls and uploads. */
  readonly neighbour: BenchParticipant;
  /** Its webhook receives the operator's dispatches. */
  readonly notified: BenchParticipant;
  readonly programId: string;
  readonly target: Target;
  stop(): Promise<void>;
}

export const NEIGHBOUR_METERS = 100;
const ATTACKERS = 2;
const SITES_EACH = 50;
const SANDBOX_KEY = "sandbox-public-key";
const PASSWORD = "correct horse battery staple";

/** A fresh service for each attack, so that none inherits the state of another. Limits are the service's defaults. */
export const setStage = async (cluster: BenchCluster, name: string): Promise<Stage> => {
  const database = await cluster.fresh(`hostile_${name.replaceAll("-", "_")}`);
  const settings = { CURTAIL_RATE_LIMIT: "1200", CURTAIL_SANDBOX_PUBLIC_KEY: SANDBOX_KEY, CURTAIL_LOG_LEVEL: "error" };
  const names = await startNameServer(RELAY_HOST, "127.0.0.1");
  const service = await startService(database, { settings, log: "ignore", nodeArguments: [names.nodeArgument] });
  const relay = await startRelay();
  const stop = () => struck(service, database, [relay, names]);
  try {
    return { service, relay, ...(await peopled(service, relay)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const peopled = async (service: BenchService, relay: Relay) => {
  const neighbour = await service.newParticipant(NEIGHBOUR_METERS);
  const notified = await service.newParticipant(1);
  await register(service, notified, `${relay.url}/good`);
  const program = { name: "Benchmark", timezone: "UTC", market: "", program_type: "capacity" as const };
  const { id: programId } = await service.operate(operator.createProgram, { body: program });
  await dispatched(service, programId, neighbour.siteIds);
  return { neighbour, notified, programId, target: await targetOf(service, relay, programId) };
};

const struck = async (
  service: BenchService,
  database: BenchDatabase,
  others: ReadonlyArray<{ close(): void }>,
): Promise<void> => {
  await service.stop();
  for (const other of others) other.close();
  await database.drop();
};

const targetOf = async (service: BenchService, relay: Relay, programId: string): Promise<Target> => {
  const attackers: Attacker[] = [];
  for (let index = 0; index < ATTACKERS; index++) attackers.push(await newAttacker(service, index));
  const [first] = attackers;
  if (first === undefined) throw new Error("there is no attacker");
  const claim = await service.operate(operator.createKey, {
    params: { id: first.accountId },
    body: {
      environment: "production",
    },
  });
  const { invitation_url } = await invited(service, first.accountId, "unanswered@example.com");
  return {
    url: service.url,
    sandboxUrl: service.sandboxUrl,
    sandboxKey: SANDBOX_KEY,
    relayUrl: relay.url,
    attackers,
    links: [claim.claim_url, invitation_url].map((link) => new URL(link).pathname),
    dispatchId: await dispatched(service, programId, first.siteIds),
  };
};

const newAttacker = async (service: BenchService, index: number): Promise<Attacker> => {
  const participant = await service.newParticipant(SITES_EACH);
  const email = attackerEmail(index);
  const { invitation_url } = await invited(service, participant.accountId, email);
  await redeemLink(service.url + new URL(invitation_url).pathname, { password: PASSWORD });
  const sessions = createClient({ baseUrl: service.url + basePaths.auth });
  const signedIn = await sessions.send(auth.signIn, { body: { email, password: PASSWORD } });
  if (!signedIn.ok) throw await errorResponse(auth.signIn, signedIn);
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { ...participant, cookie };
};

export const attackerEmail = (index: number): string => `attacker${index}@example.com`;

const invited = (service: BenchService, account_id: string, email: string): Promise<{ invitation_url: string }> =>
  service.operate(operator.createUser, { body: { email, name: "Attacker", role: "participant-admin", account_id } });

const register = async ({ url }: BenchService, { key }: BenchParticipant, hook: string): Promise<void> => {
  const events = [{ name: "dispatch.create" as const }, { name: "dispatch.update" as const }];
  await participantClient({ url, key }).call(createWebhook, { body: { url: hook, events } });
};

/** Issues an operator's dispatch that starts in an hour; returns its id. */
export const dispatched = async (
  service: Pick<BenchService, "operate">,
  programId: string,
  siteIds: readonly string[],
): Promise<string> => {
  const [start_time = "", end_time = ""] = [1, 2].map((hours) =>
    new Date(Date.now() + hours * 3_600_000).toISOString(),
  );
  const body = { program_id: programId, start_time, end_time, sites: siteIds.map((site_id) => ({ site_id })) };
  return (await service.operate(operator.createDispatch, { body })).id;
};
