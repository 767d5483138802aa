import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, claimKey, operatorClient } from "@curtail/client";
import { operator as contract } from "@curtail/contract";
import { BASE_PATH } from "@curtail/openadr-3";
import { atEndOfUse } from "@curtail/testing/at-end";
import { FOLD_AFTER } from "@curtail/testing/with-log";
import type { FastifyInstance } from "fastify";
import { expect } from "vitest";
import { type Service, type Wiring, wireService } from "../../src/app/wire.js";
import { readConfig } from "../../src/platform/runtime/config.js";
import { buildLogger } from "../../src/platform/runtime/logger.js";
import { passwordsAt } from "../../src/platform/runtime/passwords.js";

import { nothingToRebuild } from "./caught-up.js";
import { cloneDatabase, type TestDatabase } from "./database.js";
import { type FakeClock, fakeClock } from "./fake-clock.js";
import { httpClient, type Send } from "./http-client.js";

export const OPERATOR_TOKEN = "operator-token-of-the-tests";

// Otherwise Fastify compares each of its plugins with every module that tests have loaded: 24 ms a start.
// oxlint-disable-next-line eslint/no-extend-native -- the functions are anonymous, and Fastify asks each of them.
Object.defineProperty(Function.prototype, Symbol.for("fastify.display-name"), { value: "routes", writable: true });

/** Production's hash takes 10 ms of CPU time. */
const quickPasswords = passwordsAt({ memoryCost: 8, timeCost: 1, parallelism: 1 });

type Given = Pick<
  Wiring,
  "demoShare" | "lookWaitMs" | "measuringBytes" | "mqttOf" | "passwords" | "statfs" | "unwatched"
> & {
  /** Dropped at the end, too; default: a new one. */
  readonly database?: TestDatabase;
  /** Default: a silent one. */
  readonly logger?: Wiring["logger"];
  /** Default: now. */
  readonly startsAt?: Date;
};

/** The real service on a real socket with its own database; ends with the test or the file that started it. */
export interface Running {
  readonly url: string;
  readonly sandboxUrl: string;
  /** The operators' address: `url`, unless they have their own port. */
  readonly operatorUrl: string;
  /** Health and metrics alone; null: they have no port of their own. */
  readonly metricsUrl: string | null;
  /** Calls the sandbox with the public key. */
  readonly publicCall: Send;
  /** Creates a sandbox key of the participant; returns a function that calls the sandbox with it. */
  sandboxCall(participant: Participant): Promise<Send>;
  readonly database: TestDatabase;
  readonly clock: FakeClock;
  readonly dataDir: string;
  /** Calls the operator API: `operator(contract.createAccount, { body: { name } })`. */
  readonly operator: Send;
  /** Calls the operator API and expects success; answers the reply. */
  readonly made: Client["call"];
  newParticipant(options?: NewParticipant): Promise<Participant>;
  /** A participant of an account that exists, with a key of its own. */
  participantOf(accountId: string): Promise<Participant>;
  /** What the start prints for the first operator: a one-time link, null if there is a user. */
  inviteFirstUser(): Promise<string | null>;
  /** Starts the OpenADR listener of the latest service; returns its port. */
  listenToVens(): Promise<number>;
  /** Starts the OpenADR 3 listener of the latest service; returns its address with the base path. */
  listenToOpenadr3(): Promise<string>;
  /** In the end, what follows changes is as if it were made from the state alone; it always is with a listener of OpenADR 3. */
  rebuildsNothing(): void;
  /**
   * Starts the service again with the same database, as after a restart or in a second process; returns its address.
   */
  another(): Promise<string>;
  /** The same, with the address of its sandbox, too. */
  second(): Promise<{ readonly url: string; readonly sandboxUrl: string }>;
  /** Drains the first of them, as SIGTERM does. */
  stop(): Promise<void>;
}

export interface NewParticipant {
  readonly name?: string;
  /** Names of the meters of each site. */
  readonly sites?: readonly (readonly string[])[];
}

/** An account with sites, meters and a claimed key. */
export interface Participant {
  readonly accountId: string;
  readonly key: string;
  readonly keyId: string;
  readonly sites: ReadonlyArray<{ readonly id: string; readonly meters: readonly string[] }>;
  /** Calls the current version of the interface with the account's key. */
  readonly call: Send;
}

export const running = async (
  settings: Readonly<Record<string, string | undefined>> = {},
  { database: own, startsAt, ...given }: Given = {},
): Promise<Running> => {
  const database = own ?? (await cloneDatabase());
  atEndOfUse(() => database.drop());
  const clock = fakeClock();
  if (startsAt !== undefined) clock.set(startsAt);
  const dataDir = await mkdtemp(join(tmpdir(), "curtail-data-"));
  atEndOfUse(() => rm(dataDir, { recursive: true }));
  // Loops that a test does not name are off.
  const quiet = { CURTAIL_PACK_AFTER: "off", CURTAIL_FOLD_AFTER: FOLD_AFTER ?? "off" };
  const required = { CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN, CURTAIL_DATA_DIR: dataDir };
  const read = readConfig({ ...quiet, ...required, ...settings });
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  const services: Service[] = [];
  const live = new Set<Service>();
  const unwatched = await unwatchedHere();
  const start = async () => {
    const logger = buildLogger("silent");
    const ports = { pool: database.servicePool, logger, clock, passwords: quickPasswords, unwatched, ...given };
    const service = await wireService({ config: read.config, ...ports });
    services.push(service);
    live.add(service);
    let stopping: Promise<void> | undefined;
    const stop = () => {
      live.delete(service);
      return (stopping ??= service.close());
    };
    atEndOfUse(stop);
    const inviteFirstUser = () => service.inviteFirstUser();
    const started = {
      url: await listen(service.app),
      sandboxUrl: await listen(service.sandbox),
      stop,
      inviteFirstUser,
    };
    return {
      ...started,
      operatorUrl: service.operators === null ? started.url : await listen(service.operators),
      metricsUrl: service.metrics === null ? null : await listen(service.metrics),
    };
  };
  const { url, sandboxUrl, operatorUrl, metricsUrl, stop, inviteFirstUser } = await start();
  let isRebuilt = false;
  const rebuildsNothing = (): void => {
    // What is left when all were stopped waits for the next start.
    if (!isRebuilt)
      atEndOfUse(async () => {
        if (live.size > 0) await nothingToRebuild(database, clock, read.config);
      });
    isRebuilt = true;
  };
  const authorization = `Bearer ${OPERATOR_TOKEN}`;
  const operator = httpClient(`${operatorUrl}/operator/v1`, { authorization });
  const made = operatorClient({ url: operatorUrl, token: OPERATOR_TOKEN, redirect: "manual" }).call;
  const keyHeader = read.config.apiKeyHeader;
  return {
    url,
    sandboxUrl,
    operatorUrl,
    metricsUrl,
    publicCall: callWith(sandboxUrl, { [keyHeader]: read.config.sandboxPublicKey }),
    database,
    clock,
    dataDir,
    operator,
    made,
    sandboxCall: async ({ accountId }) =>
      callWith(sandboxUrl, { [keyHeader]: (await claimedKey({ url, made }, accountId, "sandbox")).key }),
    newParticipant: (options) => newParticipant({ url, made, keyHeader }, options),
    participantOf: (accountId) => participantOf({ url, made, keyHeader }, accountId),
    inviteFirstUser,
    async listenToVens() {
      const service = services.at(-1);
      if (service === undefined) throw new Error("no service runs");
      return service.vtn.listen("127.0.0.1", 0);
    },
    async listenToOpenadr3() {
      const service = services.at(-1);
      if (service === undefined) throw new Error("no service runs");
      rebuildsNothing();
      return `${await service.openadr3.listen("127.0.0.1", 0)}${BASE_PATH}`;
    },
    rebuildsNothing,
    another: async () => (await start()).url,
    second: start,
    stop,
  };
};

/** What is looked for all the time, whether there is any or not, costs most tests more than what they test. */
const WATCHED = ["alarms", "demo"] as const;

/** Those of them that the test file does not speak of. */
const unwatchedHere = async (): Promise<NonNullable<Wiring["unwatched"]>> => {
  const text = await readFile(expect.getState().testPath ?? "", "utf8");
  return new Set(WATCHED.filter((what) => !text.toLowerCase().includes(what.replace(/s$/, ""))));
};

const listen = async (app: FastifyInstance): Promise<string> => {
  await app.listen({ host: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
};

const callWith = (url: string, headers: Readonly<Record<string, string>>): Send =>
  httpClient(`${url}/2022-04-15`, headers);

let count = 0;

const newParticipant = async (
  { url, made, keyHeader }: Pick<Running, "url" | "made"> & { readonly keyHeader: string },
  { name = `Participant ${++count}`, sites = [["main"]] }: NewParticipant = {},
): Promise<Participant> => {
  const account = await made(contract.createAccount, { body: { name } });
  const created = [];
  for (const [index, meters] of sites.entries()) {
    const body = { name: `${name}, site ${index + 1}`, meters: meters.map((meter) => ({ name: meter })) };
    const site = await made(contract.createSite, { params: { id: account.id }, body });
    created.push({ id: site.id, meters: site.meters.map((meter) => meter.id) });
  }
  const { key, keyId } = await claimedKey({ url, made }, account.id, "production");
  const call = callWith(url, { [keyHeader]: key });
  return { accountId: account.id, key, keyId, sites: created, call };
};

const participantOf = async (
  { url, made, keyHeader }: Pick<Running, "url" | "made"> & { readonly keyHeader: string },
  accountId: string,
): Promise<Participant> => {
  const { items } = await made(contract.listAccountSites, { params: { id: accountId } });
  const sites = items.map(({ id, meters }) => ({ id, meters: meters.map((meter) => meter.id) }));
  const { key, keyId } = await claimedKey({ url, made }, accountId, "production");
  return { accountId, key, keyId, sites, call: callWith(url, { [keyHeader]: key }) };
};

export const claimedKey = async (
  { url, made }: Pick<Running, "url" | "made">,
  accountId: string,
  environment: "production" | "sandbox",
): Promise<{ key: string; keyId: string }> => {
  const { id, claim_url } = await made(contract.createKey, { params: { id: accountId }, body: { environment } });
  // The link has the public address, which may differ from the one that tests use.
  const { api_key } = await claimKey(url + new URL(claim_url).pathname);
  return { key: api_key, keyId: id };
};
