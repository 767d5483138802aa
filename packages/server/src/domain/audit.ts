import type { Account, Contact } from "./account.js";
import type { Alarm } from "./alarm.js";
import type { ApiKey } from "./api-key.js";
import type { Delivery, Webhook } from "./delivery.js";
import type { Dispatch } from "./dispatch.js";
import type { Enrolment, Program } from "./program.js";
import type { AvailabilityBlock } from "./schedule.js";
import type { Meter, Site } from "./site.js";
import type { User } from "./user.js";
import type { Ven, VenCertificate } from "./ven.js";

/**
 * Everything the audit log takes: of each kind the actions, and the state before and after. It is stored as it is here,
 * and entries are never changed: a member that gets another name or meaning is read in both (`http/wire/audit-state.ts`).
 */
interface Audited {
  account: { action: "account.create" | "account.change"; state: Account };
  alarm: { action: "alarm.acknowledge"; state: Alarm };
  certificate: { action: "ven.certify" | "ven.revoke"; state: AuditedCertificate };
  certificate_link: { action: "ven.offer_certificate"; state: { readonly days: number; readonly expiresAt: Date } };
  contact: { action: "contact.create" | "contact.delete"; state: Contact };
  delivery: { action: "delivery.resend"; state: AuditedDelivery };
  dispatch: { action: `dispatch.${"create" | "change" | "cancel" | "void"}`; state: AuditedDispatch };
  enrolment: { action: "program.enrol" | "program.withdraw"; state: Enrolment };
  key: { action: "key.create" | "key.claim" | "key.revoke"; state: ApiKey };
  meter: { action: "meter.create" | "meter.change"; state: AuditedMeter };
  program: { action: "program.create" | "program.change"; state: Program };
  schedule_block: { action: "schedule.create" | "schedule.delete"; state: AvailabilityBlock };
  session: { action: "session.create" | "session.create_by_recovery_code" | "session.revoke"; state: never };
  site: { action: "site.create" | "site.change"; state: Site };
  user: { action: `user.${"create" | "change" | "delete"}` | `user.${UserAction}`; state: User };
  ven: { action: "ven.create" | "ven.change" | "ven.delete"; state: AuditedVen };
  webhook: { action: "webhook.create" | "webhook.delete" | "webhook.rotate_secret"; state: AuditedWebhook };
}

/** Without states: what they change is secret. */
type UserAction =
  | "invite"
  | "sign_out"
  | "set_password"
  | "change_password"
  | "confirm_totp"
  | "remove_totp"
  | "renew_recovery_codes"
  | "bind_oidc";

type AuditedCertificate = Pick<VenCertificate, "fingerprint" | "expiresAt"> & { readonly revokedAt?: Date | null };
type AuditedDelivery = Pick<Delivery, "webhookId" | "dispatchId" | "event" | "state"> & { readonly resendAt?: Date };

/** What changes of a dispatch; of a created one all but its sites, which never change, and how many they are. */
type AuditedDispatch =
  | (Pick<Dispatch, "start" | "end" | "authorized" | "modificationNumber"> & { readonly voidReason?: string })
  | (Omit<Dispatch, "sites"> & { readonly siteCount: number; readonly commitmentKw: number });

type AuditedMeter = Meter & ({ readonly siteId: string } | { readonly accountId: string });

/** What it does is no change of the VEN. */
type AuditedVen = Omit<Ven, "lastPollAt" | "lastAcknowledgementAt">;

type AuditedWebhook = Pick<Webhook, "id" | "url" | "events"> & {
  readonly previousSecretUntil?: Date | undefined;
  // A webhook itself is refused by the compiler: it would be stored with these.
  readonly secret?: never;
  readonly previousSecret?: never;
};

export type AuditKind = keyof Audited;
export type AuditAction = Audited[AuditKind]["action"];

/** The state that goes with an action. */
export type AuditState<A extends AuditAction> = {
  [K in AuditKind]: A extends Audited[K]["action"] ? Audited[K]["state"] : never;
}[AuditKind];

/** A state as it was stored by any version: its members, with long lists cut, and what was cut off them. */
export interface StoredState {
  readonly members: Readonly<Record<string, unknown>>;
  /** Elements that were left out of lists, by the list's name. */
  readonly omitted: Readonly<Record<string, number>>;
}
