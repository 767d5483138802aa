import type { Environment } from "../../access/domain/api-key.js";

/** Who sees a program or event: VENs that one of the lists reaches; if all are empty, VENs that see its program or an event of it. */
export interface Audience {
  readonly accounts: readonly string[];
  readonly sites: readonly string[];
  readonly names: readonly string[];
}

/** How to read the values of a payload type. */
export interface PayloadReading {
  readonly payloadType: string;
  readonly units: string | null;
  /** Of a price. */
  readonly currency: string | null;
}

/** A program that no program of the service stands for. */
export interface OwnProgram {
  readonly id: string;
  readonly environment: Environment;
  readonly name: string;
  readonly payloads: readonly PayloadReading[];
  /** Every VEN sees it; it has no targets. */
  readonly isPublic: boolean;
  readonly targets: Audience;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

export type OwnValue = number | string | boolean | { readonly x: number; readonly y: number };

/** An interval of such an event; null: it does not state the time, or never ends. */
export interface OwnInterval {
  readonly start: Date | null;
  readonly end: Date | null;
  readonly payloads: ReadonlyArray<{ readonly type: string; readonly values: readonly OwnValue[] }>;
}

/** An event of such a program. */
export interface OwnEventState {
  readonly id: string;
  readonly environment: Environment;
  readonly programId: string;
  readonly name: string | null;
  readonly payloads: readonly PayloadReading[];
  readonly start: Date | null;
  readonly end: Date | null;
  readonly priority: number | null;
  readonly targets: Audience;
  readonly intervals: readonly OwnInterval[];
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}

declare module "../../access/domain/audit.js" {
  interface Audited {
    openadr3_program: { action: `openadr3_program.${"create" | "change" | "delete"}`; state: OwnProgram };
    openadr3_event: { action: `openadr3_event.${"create" | "change" | "end" | "delete"}`; state: OwnEventState };
  }
}

/** Accounts and sites are targets by their ids: VENs are granted those of their account and its sites. */
export const targetsOf = ({ accounts, sites, names }: Audience): readonly string[] => [
  ...new Set([...accounts, ...sites, ...names]),
];

/** Its own id is a target of a program that is not public: VENs are granted it that see one of its events. */
export const programTargets = ({
  id,
  isPublic,
  targets,
}: Pick<OwnProgram, "id" | "isPublic" | "targets">): readonly string[] => (isPublic ? [] : [...targetsOf(targets), id]);

const ACCOUNT = /^acc_[0-9a-z]+$/;
const SITE = /^site_[0-9a-z]+$/;

export const audienceOf = (targets: readonly string[]): Audience => ({
  accounts: targets.filter((target) => ACCOUNT.test(target)),
  sites: targets.filter((target) => SITE.test(target)),
  names: targets.filter((target) => !ACCOUNT.test(target) && !SITE.test(target)),
});
