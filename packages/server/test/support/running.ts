import type { AddressInfo } from "node:net";
import { endpoints, operator as operatorContract } from "@curtail/contract";
import { wireService } from "../../src/bin/wire.js";
import { readConfig } from "../../src/runtime/config.js";
import { buildLogger } from "../../src/runtime/logger.js";
import { atEnd } from "./at-end.js";
import { checkedAgainst } from "./contract-check.js";
import { cloneDatabase, type TestDatabase } from "./database.js";
import { type FakeClock, fakeClock } from "./fake-clock.js";
import { type Answer, httpClient, type Send } from "./http-client.js";

export const OPERATOR_TOKEN = "operator-token-of-the-tests";

/** The real service on a real socket over a database of its own; ends with the test file. */
export interface Running {
  readonly url: string;
  readonly database: TestDatabase;
  readonly clock: FakeClock;
  /** Calls the operator API: `operator("POST", "/accounts", {…})`; every answer is held against its contract. */
  readonly operator: Send;
  /** Calls the operator API and expects success; answers the body. */
  made<T = { id: string }>(method: string, path: string, body?: unknown): Promise<T>;
  newParticipant(options?: NewParticipant): Promise<Participant>;
  /** The service once more over the same database, as after a restart or in a second process; answers its address. */
  another(): Promise<string>;
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
  /** Calls the current version of the interface with the account's key; every answer is held against its contract. */
  readonly call: Send;
}

export const running = async (settings: Readonly<Record<string, string>> = {}): Promise<Running> => {
  const database = await cloneDatabase();
  atEnd(() => database.drop());
  const clock = fakeClock();
  const read = readConfig({ CURTAIL_OPERATOR_TOKEN: OPERATOR_TOKEN, ...settings });
  if ("faults" in read) throw new Error(read.faults.join("\n"));
  const start = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
    const logger = buildLogger("silent");
    const service = await wireService({ config: read.config, pool: database.pool, logger, clock });
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= service.close());
    atEnd(stop);
    await service.app.listen({ host: "127.0.0.1", port: 0 });
    return { url: `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`, stop };
  };
  const { url, stop } = await start();
  const authorization = `Bearer ${OPERATOR_TOKEN}`;
  const operator = checkedAgainst(
    operatorContract.operatorEndpoints,
    httpClient(`${url}/operator/v1`, { authorization }),
  );
  const made = async <T>(method: string, path: string, body?: unknown): Promise<T> =>
    expectMade(await operator(method, path, body)) as T;
  return {
    url,
    database,
    clock,
    operator,
    made,
    newParticipant: (options) => newParticipant({ url, made, keyHeader: read.config.apiKeyHeader }, options),
    another: async () => (await start()).url,
    stop,
  };
};

const expectMade = (answer: Answer): unknown => {
  if (answer.status >= 300) throw new Error(`the operator API answered ${answer.status}: ${answer.text}`);
  return answer.body;
};

let count = 0;

const newParticipant = async (
  { url, made, keyHeader }: Pick<Running, "url" | "made"> & { readonly keyHeader: string },
  { name = `Participant ${++count}`, sites = [["main"]] }: NewParticipant = {},
): Promise<Participant> => {
  const account = await made("POST", "/accounts", { name });
  const created = [];
  for (const [index, meters] of sites.entries()) {
    const body = { name: `${name}, site ${index + 1}`, meters: meters.map((meter) => ({ name: meter })) };
    const site = await made<{ id: string; meters: Array<{ id: string }> }>(
      "POST",
      `/accounts/${account.id}/sites`,
      body,
    );
    created.push({ id: site.id, meters: site.meters.map((meter) => meter.id) });
  }
  const issued = await made<{ id: string; claim_url: string }>("POST", `/accounts/${account.id}/keys`, {
    environment: "production",
  });
  // The link leads to the public address, which need not be where the tests reach the service.
  const { api_key: key } = (await (
    await fetch(url + new URL(issued.claim_url).pathname, { method: "POST" })
  ).json()) as { api_key: string };
  const call = checkedAgainst(endpoints, httpClient(`${url}/2022-04-15`, { [keyHeader]: key }));
  return { accountId: account.id, key, keyId: issued.id, sites: created, call };
};
