import type pg from "pg";
import { requireReadable } from "../access/http/wire-audit-state.js";
import { accountStore } from "../access/storage/account-store.js";
import { auditStore } from "../access/storage/audit-store.js";
import { calendarStore } from "../access/storage/calendar-store.js";
import { contactStore } from "../access/storage/contact-store.js";
import { deviceStore } from "../access/storage/device-store.js";
import { keyStore } from "../access/storage/key-store.js";
import { recoveryCodeStore } from "../access/storage/recovery-code-store.js";
import { requestLogStore } from "../access/storage/request-log-store.js";
import { sessionStore } from "../access/storage/session-store.js";
import { holdStore } from "../backup/storage/delivery-hold.js";
import { demoStore } from "../demo/storage/demo-store.js";
import { simulatedSiteStore } from "../demo/storage/simulated-site-store.js";
import { dispatchStore } from "../dispatch/storage/dispatch-store.js";
import { noticeStore, sandboxNoticeStore } from "../dispatch/storage/notice-store.js";
import { runningDispatches } from "../dispatch/storage/running-dispatches.js";
import { addressedMessages } from "../notification/storage/addressed-messages.js";
import { channelAddressStore } from "../notification/storage/channel-address-store.js";
import { deliveryStore } from "../notification/storage/delivery-store.js";
import { pageReadStore } from "../notification/storage/dispatch-read-store.js";
import { evidenceStore } from "../notification/storage/evidence-store.js";
import { peopleToNotify } from "../notification/storage/expand-personal-notices.js";
import { noticePreferenceStore } from "../notification/storage/notice-preference-store.js";
import { owedStore } from "../notification/storage/owed-store.js";
import { phoneCallStore } from "../notification/storage/phone-call-store.js";
import { phoneMessages } from "../notification/storage/phone-messages.js";
import { subscriptionStates } from "../openadr-3/storage/subscription-states.js";
import { alarmAttending } from "../oversight/storage/alarm-attending.js";
import { alarmLookStore } from "../oversight/storage/alarm-look-store.js";
import { alarmStore } from "../oversight/storage/alarm-store.js";
import { followerStates } from "../oversight/storage/follower-states.js";
import { shiftReportStore } from "../oversight/storage/shift-report-store.js";
import { correctionStore } from "../performance/storage/correction-store.js";
import { excludedDayStore, siteDecisionStore } from "../performance/storage/decision-stores.js";
import { lateNoteStore } from "../performance/storage/late-note-store.js";
import { performanceStore } from "../performance/storage/performance-store.js";
import type { Once, Within } from "../platform/answer-once.js";
import { inTransaction, type Queryable, savepoint } from "../platform/database/database.js";
import { type OnceOver, onceWithin } from "../platform/database/kept-answer-store.js";
import type { Ports } from "../platform/ports.js";
import type { SecretBox } from "../platform/secret-box.js";
import { programStore } from "../portfolio/storage/program-store.js";
import { rulesStore } from "../portfolio/storage/rules-store.js";
import { scheduleStore } from "../portfolio/storage/schedule-store.js";
import { siteStore } from "../portfolio/storage/site-store.js";
import type { ScenarioPorts, ScenarioStores, ScenarioWithin } from "../sandbox/operations/scenario-service.js";
import { certificateStore } from "../sandbox/storage/certificate-store.js";
import { scenarioStore } from "../sandbox/storage/scenario-store.js";
import { dueStatements } from "../settlement/storage/due-statements.js";
import { enrolmentHistory } from "../settlement/storage/enrolment-history.js";
import { statementStore } from "../settlement/storage/statement-store.js";
import { termsStore } from "../settlement/storage/terms-store.js";
// oxlint-disable-next-line import/no-unassigned-import -- adds the columns of every table to `Tables`
import "./tables.js";
import { invitationStore } from "../access/storage/user-invitation-store.js";
import { userStore } from "../access/storage/user-store.js";
import { pushSubscriptionStore } from "../notification/storage/push-subscription-store.js";
import { webhookStore } from "../notification/storage/webhook-store.js";
import { pushExpansion } from "../openadr/storage/push-expansion.js";
import { venCertificateStore } from "../openadr/storage/ven-certificate-store.js";
import { venClaimStore } from "../openadr/storage/ven-claim-store.js";
import { venEventStore } from "../openadr/storage/ven-event-store.js";
import { venNoticeStore } from "../openadr/storage/ven-notice-store.js";
import { venStore } from "../openadr/storage/ven-store.js";
import { callbacks } from "../openadr-3/storage/callbacks.js";
import { openadr3ClientStore } from "../openadr-3/storage/client-store.js";
import { clientVolume } from "../openadr-3/storage/client-volume.js";
import { dispatchActStore } from "../openadr-3/storage/dispatch-act-store.js";
import { dispatchNotices } from "../openadr-3/storage/dispatch-notices.js";
import { objectChangeStore } from "../openadr-3/storage/object-change-store.js";
import { objectCreations } from "../openadr-3/storage/object-creations.js";
import { objectStore } from "../openadr-3/storage/object-store.js";
import { ownObjectStore } from "../openadr-3/storage/own-object-store.js";
import { projectedObjects } from "../openadr-3/storage/projected-objects.js";
import { projectionSources } from "../openadr-3/storage/projection-sources.js";
import { mappingProfileStore } from "../telemetry/storage/mapping-profile-store.js";
import { reportingMeters } from "../telemetry/storage/reporting-meters.js";
import { readingStore } from "../telemetry/storage/upsert-hours.js";

/** All stores over one connection: inside `transact` they share its transaction. */
export type Stores = ReturnType<typeof storesOver>;

export const storesOver = (db: Queryable, secrets: SecretBox) => ({
  accounts: accountStore(db),
  contacts: contactStore(db),
  demo: demoStore(db),
  simulatedSite: simulatedSiteStore(db),
  hold: holdStore(db),
  keys: keyStore(db),
  sites: siteStore(db, (meters) => reportingMeters(db, meters)),
  readings: readingStore(db),
  mappingProfiles: mappingProfileStore(db),
  programs: programStore(db),
  dispatches: dispatchStore(db),
  schedule: scheduleStore(db),
  rules: rulesStore(db),
  webhooks: webhookStore(db, secrets),
  notices: noticeStore(db),
  deliveries: deliveryStore(db),
  evidence: evidenceStore(db),
  vens: venStore(db),
  venCertificates: venCertificateStore(db),
  venClaims: venClaimStore(db),
  venEvents: venEventStore(db),
  venPushes: pushExpansion(db),
  venNotices: venNoticeStore(db),
  openadr3Clients: openadr3ClientStore(db),
  openadr3Objects: objectStore(db, secrets),
  openadr3Creations: objectCreations(db),
  openadr3Volume: clientVolume(db),
  openadr3Own: ownObjectStore(db, secrets),
  openadr3Subscriptions: subscriptionStates(db),
  openadr3Changes: objectChangeStore(db),
  openadr3Sources: projectionSources(db),
  openadr3Projected: projectedObjects(db, secrets),
  openadr3Notices: dispatchNotices(db),
  openadr3Acts: dispatchActStore(db),
  openadr3Callbacks: callbacks(db),
  alarms: alarmStore(db),
  alarmLooks: alarmLookStore(db),
  alarmAttending: alarmAttending(db),
  shiftReports: shiftReportStore(db),
  followers: followerStates(db),
  owed: owedStore(db),
  phoneCalls: phoneCallStore(db),
  pageReads: pageReadStore(db),
  performance: performanceStore(db),
  late: lateNoteStore(db),
  corrections: correctionStore(db),
  terms: termsStore(db),
  statements: statementStore(db),
  dueStatements: dueStatements(db),
  enrolments: enrolmentHistory(db),
  excludedDays: excludedDayStore(db),
  decisions: siteDecisionStore(db),
  audit: auditStore(db, requireReadable),
  users: userStore(db, secrets),
  invitations: invitationStore(db),
  sessions: sessionStore(db),
  recoveryCodes: recoveryCodeStore(db),
  devices: deviceStore(db),
  calendars: calendarStore(db),
  requests: requestLogStore(db),
  running: runningDispatches(db),
  phoneMessages: phoneMessages(db),
  addressedMessages: addressedMessages(db),
  channelAddresses: channelAddressStore(db, secrets),
  peopleToNotify: peopleToNotify(db),
  noticePreferences: noticePreferenceStore(db),
  pushSubscriptions: pushSubscriptionStore(db, secrets),
});

/** Runs `work` with stores that share a transaction; rolls back if it throws or returns a refusal. */
export const transactOver =
  (pool: pg.Pool, secrets: SecretBox): Ports<Stores>["transact"] =>
  (work) =>
    inTransaction(pool, (client) => work(storesOver(client, secrets)));

/** Ports inside the caller's transaction: what they transact is rolled back on its own if it is refused. */
export const withinTransaction = (client: pg.PoolClient, secrets: SecretBox): Within<Stores> => ({
  stores: storesOver(client, secrets),
  transact: (work) => savepoint(client, () => work(storesOver(client, secrets))),
});

export const onceOver = (over: OnceOver): Once<Within<Stores>> =>
  onceWithin(over, (client) => withinTransaction(client, over.secrets));

/** Runs `work` with the sandbox's stores, including scenarios, in one transaction. */
export const transactScenarioOver =
  (pool: pg.Pool, secrets: SecretBox): ScenarioPorts["transactScenario"] =>
  (work) =>
    inTransaction(pool, (client) => work(scenarioStoresOver(client, secrets)));

export const scenarioOnceOver = (over: OnceOver): Once<ScenarioWithin> =>
  onceWithin(over, (client) => ({
    ...withinTransaction(client, over.secrets),
    transactScenario: (work) => savepoint(client, () => work(scenarioStoresOver(client, over.secrets))),
  }));

const scenarioStoresOver = (db: Queryable, secrets: SecretBox): ScenarioStores => ({
  ...storesOver(db, secrets),
  notices: sandboxNoticeStore(db),
  scenarios: scenarioStore(db),
  certificates: certificateStore(db),
});
