import { readFileSync } from "node:fs";
import { operator } from "@curtail/contract";
import { isAccepted } from "../../src/openadr/domain/ven.js";
import { findIdentities } from "../../src/openadr/storage/ven-certificate-store.js";
import { type Participant, type Running, running } from "./running.js";
import { withoutRsa } from "./vens.js";

export interface Ven {
  readonly id: string;
  readonly ven_id: string;
  readonly certificates: ReadonlyArray<{ readonly fingerprint: string; readonly state: string }>;
}

interface Issued {
  readonly certificate: string;
  readonly ca_certificate: string;
  readonly fingerprint: string;
  readonly short_fingerprint: string;
  readonly expires_at: string;
}

export let service: Running;
export let anna: Participant;

export const prepare = async () => {
  service = await running();
  await withoutRsa(service);
};

export const prepareEach = async () => {
  anna = await service.newParticipant({ sites: [["main"], ["main"]] });
};

export const vensOf = ({ accountId }: Participant): string => `/accounts/${accountId}/vens`;
export const show = async (id: string): Promise<Ven> =>
  (await service.operator(operator.getVen, { params: { id } })).body;

/** Made by openssl req. */
export const request = (name: string): string =>
  readFileSync(new URL(`../openadr/vtn/requests/${name}.csr`, import.meta.url), "utf8");
export const certify = (id: string, body: object = { csr: request("rsa-2048") }) =>
  service.operator("POST", `/vens/${id}/certificates`, body);
export const issue = async (id: string): Promise<Issued> => (await certify(id)).body;

export const lastAudit = async () =>
  (await service.operator(operator.listAudit, { query: { limit: 1 } })).body.items[0];

export const isLetIn = async (fingerprint: string): Promise<boolean> => {
  const identity = (await findIdentities(service.database.pool, [fingerprint])).get(fingerprint);
  return identity !== undefined && isAccepted(identity, service.clock.now());
};

let count = 0;
/** A name that no other VEN of the file has. */
export const nextVenId = (): string => `store-${++count}`;

export const create = (body: object = {}) => service.operator("POST", vensOf(anna), { ven_id: nextVenId(), ...body });
export const newVen = async (body: object = {}): Promise<Ven> => (await create(body)).body;
