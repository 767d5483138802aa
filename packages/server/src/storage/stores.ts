import type pg from "pg";
import type { Once, Within } from "../operations/answer-once.js";
import type { Ports } from "../operations/ports.js";
import type { SecretBox } from "../operations/secret-box.js";
import { accountStore } from "./account-store.js";
import { alarmStore } from "./alarm-store.js";
import { auditStore } from "./audit-store.js";
import { contactStore } from "./contact-store.js";
import { inTransaction, type Queryable, savepoint } from "./database.js";
import { deliveryStore } from "./delivery-store.js";
import { deviceStore } from "./device-store.js";
import { dispatchStore } from "./dispatch-store.js";
import { evidenceStore } from "./evidence-store.js";
import { type OnceOver, onceWithin } from "./kept-answer-store.js";
import { keyStore } from "./key-store.js";
import { lateReadings } from "./late-readings.js";
import { noticeStore } from "./notice-store.js";
import { owedStore } from "./owed-store.js";
import { performanceStore } from "./performance-store.js";
import { programStore } from "./program-store.js";
import { recoveryCodeStore } from "./recovery-code-store.js";
import { requestLogStore } from "./request-log-store.js";
import { scheduleStore } from "./schedule-store.js";
import { sessionStore } from "./session-store.js";
import { siteStore } from "./site-store.js";
// oxlint-disable-next-line import/no-unassigned-import -- adds the columns of every table to `Tables`
import "./tables.js";
import { invitationStore } from "./user-invitation-store.js";
import { userStore } from "./user-store.js";
import { venCertificateStore } from "./ven-certificate-store.js";
import { venClaimStore } from "./ven-claim-store.js";
import { venEventStore } from "./ven-event-store.js";
import { venNoticeStore } from "./ven-notice-store.js";
import { venStore } from "./ven-store.js";
import { webhookStore } from "./webhook-store.js";

/** All stores over one connection: inside `transact` they share its transaction. */
export type Stores = ReturnType<typeof storesOver>;

export const storesOver = (db: Queryable, secrets: SecretBox) => ({
  accounts: accountStore(db),
  contacts: contactStore(db),
  keys: keyStore(db),
  sites: siteStore(db),
  programs: programStore(db),
  dispatches: dispatchStore(db),
  schedule: scheduleStore(db),
  webhooks: webhookStore(db, secrets),
  notices: noticeStore(db),
  deliveries: deliveryStore(db),
  evidence: evidenceStore(db),
  vens: venStore(db),
  venCertificates: venCertificateStore(db),
  venClaims: venClaimStore(db),
  venEvents: venEventStore(db),
  venNotices: venNoticeStore(db),
  alarms: alarmStore(db),
  owed: owedStore(db),
  performance: performanceStore(db),
  late: lateReadings(db),
  audit: auditStore(db),
  users: userStore(db, secrets),
  invitations: invitationStore(db),
  sessions: sessionStore(db),
  recoveryCodes: recoveryCodeStore(db),
  devices: deviceStore(db),
  requests: requestLogStore(db),
});

/** Runs `work` with stores that share a transaction; rolls back when it throws or answers a refusal. */
export const transactOver =
  (pool: pg.Pool, secrets: SecretBox): Ports<Stores>["transact"] =>
  (work) =>
    inTransaction(pool, (client) => work(storesOver(client, secrets)));

/** What works inside a transaction of the caller's: what it transacts is rolled back by itself where it is refused. */
export const withinTransaction = (client: pg.PoolClient, secrets: SecretBox): Within<Stores> => ({
  stores: storesOver(client, secrets),
  transact: (work) => savepoint(client, () => work(storesOver(client, secrets))),
});

export const onceOver = (over: OnceOver): Once<Within<Stores>> =>
  onceWithin(over, (client) => withinTransaction(client, over.secrets));
