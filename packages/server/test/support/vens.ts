import { generateKeyPairSync } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "@curtail/contract";
import { atEnd } from "@curtail/testing/at-end";
import { expect } from "vitest";
import { storesOver } from "../../src/app/stores.js";
import { pemOf } from "../../src/openadr/vtn/make-keys.js";
import { OpenadrAuthority } from "../../src/openadr/vtn/ven-authority.js";
import { writeOnce } from "../../src/platform/private-file.js";
import type { Participant, Running } from "./running.js";
import { testSecretBox } from "./secret-box.js";
import { type Credentials, VenClient } from "./ven-client.js";

interface Named {
  readonly id: string;
  readonly ven_id: string;
}

/** A VEN of a participant, and what it holds. */
export interface TestVen extends VenClient {
  readonly ven: Named;
  readonly credentials: Credentials & { readonly fingerprint: string };
  /** The same VEN over other connections, or with changes. */
  as(changes?: Partial<ConstructorParameters<typeof VenClient>[0]>): VenClient;
}

/** VENs of a running service over real mutual TLS. */
export interface Vens {
  readonly port: number;
  readonly ca: string;
  newVen(participant: Participant, settings?: Readonly<Record<string, unknown>>): Promise<TestVen>;
  /** Issues another certificate for a VEN. */
  certify(ven: Named, options?: { readonly days?: number }): Promise<Credentials & { readonly fingerprint: string }>;
  /** A certificate for servers on this machine, of the same authority. */
  serverCredentials(): Promise<Credentials>;
  client(options: Omit<ConstructorParameters<typeof VenClient>[0], "port" | "ca">): VenClient;
}

/** Waits until the database shows that a process is listening for VENs now, and therefore has all polls until now. */
export const untilListened = async ({ database, clock }: Running): Promise<void> => {
  const heardUntil = async (): Promise<unknown> =>
    (await database.pool.query("select max(until) as until from vtn_listening")).rows[0]?.until;
  await expect.poll(heardUntil).toEqual(clock.now());
};

const makeKeys = () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { publicKey, privatePem: pemOf(privateKey) };
};

let count = 0;

/** At which VENs reach a service of tests. */
const HOSTNAMES = ["localhost", "127.0.0.1", "::1"];

const FILES = ["ca.key", "ca.crt", "server.pem"] as const;
type AuthorityFiles = ReadonlyArray<readonly [name: string, text: string]>;

/** Of an authority with a quick key, and its certificate for the listener, whose RSA key takes a fifth of a second. */
const makeAuthority = async (): Promise<AuthorityFiles> => {
  const folder = await mkdtemp(join(tmpdir(), "curtail-authority-"));
  await writeOnce(join(folder, "ca.key"), makeKeys().privatePem);
  await new OpenadrAuthority(folder, { now: () => new Date() }).serverCertificate(HOSTNAMES);
  const files = await Promise.all(
    FILES.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
  );
  await rm(folder, { recursive: true });
  return files;
};

let authorityOfWorker: Promise<AuthorityFiles> | undefined;

/** Its authority is that of the worker's other services: it would create RSA keys, which take a tenth to half a second each. */
export const withoutRsa = async ({ dataDir }: Pick<Running, "dataDir">): Promise<void> => {
  const folder = join(dataDir, "openadr");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of await (authorityOfWorker ??= makeAuthority())) await writeOnce(join(folder, name), text);
};

export const listeningToVens = async (service: Running, { isRsa = false } = {}): Promise<Vens> => {
  const folder = join(service.dataDir, "openadr");
  if (!isRsa) await withoutRsa(service);
  const port = await service.listenToVens();
  const authority = new OpenadrAuthority(folder, service.clock);
  const ca = await authority.certificate();
  const stores = storesOver(service.database.pool, testSecretBox);
  const clients: VenClient[] = [];
  atEnd(async () => {
    for (const client of clients) client.close();
  });
  const client: Vens["client"] = (options) => {
    const made = new VenClient({ port, ca, ...options });
    clients.push(made);
    return made;
  };
  const issue: OpenadrAuthority["issue"] = async (certifying) => {
    if (isRsa) return authority.issue(certifying);
    const { publicKey, privatePem } = makeKeys();
    return { ...(await authority.certify(publicKey, certifying)), privateKey: privatePem };
  };
  const certify: Vens["certify"] = async ({ id, ven_id: venId }, { days = 365 } = {}) => {
    const now = service.clock.now();
    const { privateKey, ...certified } = await issue({ venId, days, now });
    await stores.venCertificates.insert({ ...certified, ven: id, revokedAt: null, createdAt: now });
    return { key: privateKey, certificate: certified.pem, fingerprint: certified.fingerprint };
  };
  return {
    port,
    ca,
    client,
    certify,
    async serverCredentials() {
      const { key, chain } = await authority.serverCertificate(HOSTNAMES);
      return { key, certificate: chain };
    },
    async newVen(participant, settings = {}) {
      const ven = await service.made(operator.createVen, {
        params: { id: participant.accountId },
        body: {
          ven_id: `ven-${++count}`,
          poll_interval_seconds: 10,
          ...settings,
        },
      });
      const credentials = await certify(ven);
      const as: TestVen["as"] = (changes = {}) => client({ venId: ven.ven_id, credentials, ...changes });
      return Object.assign(as(), { ven, credentials, as });
    },
  };
};

/** What an operator may do in SQL, with its entry in the journal. $1: a fingerprint. */
export const REVOKE_BY_HAND = `with revoked as (update ven_certificates set revoked_at = now() where fingerprint = $1 returning ven)
  select note_change('ven.revoke', ven) from revoked`;

/** $1: a VEN. */
export const DELETE_BY_HAND = `with deleted as (update vens set deleted_at = now() where id = $1 returning id)
  select note_change('ven.delete', id) from deleted`;
