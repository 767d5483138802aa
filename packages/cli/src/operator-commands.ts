import { type Endpoint, operator, VersionQuery } from "@curtail/contract";

/** A command of the operator API: everything else about it is derived from its endpoint. */
export interface OperatorCommand {
  readonly noun: string;
  readonly verb: string;
  readonly endpoint: Endpoint;
  /** Overrides the endpoint's. */
  readonly summary?: string;
  /** Members of the body to offer; default: all. */
  readonly members?: readonly string[];
  readonly flags?: Readonly<Record<string, string>>;
  readonly defaults?: Readonly<Record<string, string>>;
  /** Members of the body that are sent unless an option overrides them. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Columns of a list, or of the lists in a single object; default: all. */
  readonly columns?: readonly string[];
  /** Message after a deletion, which has no reply. */
  readonly done?: string;
  /** Takes `--for 2h`, a duration, as an alternative to the end. */
  readonly hasLength?: true;
}

const deliveryColumns = ["id", "event", "state", "next_attempt_at", "created_at", "attempts"];
const attemptColumns = ["at", "status", "duration_ms", "address", "error"];
const venColumns = ["id", "ven_id", "environment", "sites", "last_poll", "last_acknowledgement", "certificates"];
const openadr3Columns = ["id", "role", "name", "environment", "sites", "targets", "state", "last_used_at"];
const dispatchColumns = ["id", "start_time", "end_time", "authorized", "test", "program", "sites"];

/** Has a line for every operation of the operator API; a test reports missing ones. */
export const operatorCommands: readonly OperatorCommand[] = [
  { noun: "addresses", verb: "show", endpoint: operator.getAddresses },
  { noun: "overview", verb: "show", endpoint: operator.getOverview },
  { noun: "overview", verb: "load", endpoint: operator.getPortfolioLoad },
  {
    noun: "overview",
    verb: "search",
    endpoint: operator.search,
    columns: ["kind", "id", "name", "detail", "account_name", "start_time"],
  },
  { noun: "accounts", verb: "create", endpoint: operator.createAccount },
  { noun: "accounts", verb: "list", endpoint: operator.listAccounts },
  { noun: "accounts", verb: "show", endpoint: operator.getAccount },
  { noun: "accounts", verb: "change", endpoint: operator.changeAccount },
  {
    noun: "accounts",
    verb: "requests",
    endpoint: operator.listAccountRequests,
    columns: ["at", "key_id", "method", "path", "status", "count", "duration_ms", "error"],
  },
  { noun: "accounts", verb: "cancel-tests", endpoint: operator.cancelTests },
  { noun: "contacts", verb: "add", endpoint: operator.createContact },
  { noun: "contacts", verb: "list", endpoint: operator.listContacts },
  { noun: "contacts", verb: "test", endpoint: operator.testContact },
  { noun: "contacts", verb: "channels", endpoint: operator.getPhoneChannels },
  { noun: "contacts", verb: "remove", endpoint: operator.deleteContact, done: "removed" },
  { noun: "keys", verb: "create", endpoint: operator.createKey },
  { noun: "keys", verb: "list", endpoint: operator.listKeys },
  { noun: "keys", verb: "revoke", endpoint: operator.revokeKey, done: "revoked" },
  { noun: "sites", verb: "create", endpoint: operator.createSite },
  {
    noun: "sites",
    verb: "list",
    endpoint: operator.listAccountSites,
    columns: ["id", "name", "customer_location_id", "dispatch_group", "timezone", "display_enabled", "meters"],
  },
  {
    noun: "sites",
    verb: "search",
    endpoint: operator.listAllSites,
    columns: ["id", "name", "account_name", "customer_location_id", "dispatch_group", "meters"],
  },
  { noun: "sites", verb: "show", endpoint: operator.getSite },
  { noun: "sites", verb: "change", endpoint: operator.changeSite },
  { noun: "sites", verb: "import", endpoint: operator.importSites, fixed: { dry_run: false } },
  { noun: "sites", verb: "import-meter-data", endpoint: operator.importMeterData },
  { noun: "sites", verb: "telemetry-health", endpoint: operator.getTelemetryHealth },
  { noun: "sites", verb: "baseline-accuracy", endpoint: operator.getBaselineAccuracy },
  { noun: "sites", verb: "onboarding", endpoint: operator.getOnboarding },
  { noun: "sites", verb: "verify", endpoint: operator.verifySite },
  { noun: "demo", verb: "show", endpoint: operator.getDemo },
  { noun: "demo", verb: "start", endpoint: operator.startDemo },
  { noun: "demo", verb: "remove", endpoint: operator.removeDemo },
  { noun: "onboarding", verb: "first-steps", endpoint: operator.getFirstSteps },
  { noun: "onboarding", verb: "list", endpoint: operator.listOnboarding },
  { noun: "sites", verb: "energy", endpoint: operator.getAnySiteEnergy },
  { noun: "sites", verb: "download-energy", endpoint: operator.downloadAnySiteEnergy },
  { noun: "sites", verb: "health", endpoint: operator.listTelemetryHealth },
  { noun: "meters", verb: "add", endpoint: operator.createMeter },
  { noun: "meters", verb: "change", endpoint: operator.changeMeter },
  { noun: "programs", verb: "create", endpoint: operator.createProgram },
  { noun: "programs", verb: "list", endpoint: operator.listPrograms },
  { noun: "programs", verb: "show", endpoint: operator.getProgram },
  { noun: "programs", verb: "change", endpoint: operator.changeProgram },
  { noun: "programs", verb: "sites", endpoint: operator.listEnrolments },
  { noun: "sites", verb: "enrolments", endpoint: operator.listSiteEnrolments },
  { noun: "programs", verb: "enrol", endpoint: operator.enrolSite },
  { noun: "programs", verb: "enrol-sites", endpoint: operator.enrolSites },
  { noun: "programs", verb: "withdraw-sites", endpoint: operator.withdrawSites },
  { noun: "programs", verb: "withdraw", endpoint: operator.withdrawSite, done: "withdrawn" },
  { noun: "programs", verb: "set-terms", endpoint: operator.setTerms },
  { noun: "programs", verb: "terms", endpoint: operator.listTerms },
  { noun: "programs", verb: "delete-terms", endpoint: operator.deleteTerms, done: "deleted" },
  { noun: "dispatches", verb: "create", endpoint: operator.createDispatch, hasLength: true },
  { noun: "dispatches", verb: "preview", endpoint: operator.previewDispatch, hasLength: true },
  { noun: "dispatches", verb: "list", endpoint: operator.listAllDispatches, columns: dispatchColumns },
  { noun: "dispatches", verb: "show", endpoint: operator.getAnyDispatch },
  {
    noun: "dispatches",
    verb: "change",
    endpoint: operator.changeDispatch,
    summary: "Change the start or end of a dispatch",
    members: ["start_time", "end_time"],
  },
  {
    noun: "dispatches",
    verb: "end",
    endpoint: operator.changeDispatch,
    summary: "End a dispatch, by default now",
    members: ["end_time"],
    flags: { end_time: "at" },
    defaults: { end_time: "now" },
  },
  {
    noun: "dispatches",
    verb: "cancel",
    endpoint: operator.changeDispatch,
    summary: "Cancel a dispatch permanently",
    members: [],
    fixed: { authorized: false },
  },
  {
    noun: "dispatches",
    verb: "void",
    endpoint: operator.changeDispatch,
    summary: "Void a dispatch after its end: its results no longer count",
    members: ["void_reason"],
    flags: { void_reason: "reason" },
    fixed: { authorized: false },
  },
  { noun: "excluded-days", verb: "list", endpoint: operator.listExcludedDays },
  { noun: "excluded-days", verb: "set", endpoint: operator.excludeDay },
  { noun: "excluded-days", verb: "remove", endpoint: operator.includeDay, done: "removed" },
  { noun: "schedule", verb: "list", endpoint: operator.listSchedule },
  { noun: "schedule", verb: "remove", endpoint: operator.deleteScheduleBlock, done: "removed" },
  {
    noun: "webhooks",
    verb: "list",
    endpoint: operator.listAccountWebhooks,
    columns: ["id", "environment", "url", "events", "created_at"],
  },
  { noun: "webhooks", verb: "rotate-secret", endpoint: operator.rotateWebhookSecret },
  { noun: "webhooks", verb: "test", endpoint: operator.testWebhook },
  {
    noun: "webhooks",
    verb: "deliveries",
    endpoint: operator.listWebhookDeliveries,
    columns: ["dispatch_id", ...deliveryColumns],
  },
  {
    noun: "dispatches",
    verb: "deliveries",
    endpoint: operator.listDispatchDeliveries,
    columns: ["webhook_id", ...deliveryColumns],
  },
  { noun: "dispatches", verb: "evidence", endpoint: operator.listEvidence },
  { noun: "dispatches", verb: "phoned", endpoint: operator.recordPhoneCall },
  { noun: "dispatches", verb: "attention", endpoint: operator.getDispatchAttention },
  { noun: "dispatches", verb: "timeline", endpoint: operator.getDispatchTimeline },
  { noun: "dispatches", verb: "download-evidence", endpoint: operator.downloadEvidence },
  {
    noun: "dispatches",
    verb: "results",
    endpoint: operator.listDispatchResults,
    columns: [
      "dispatch_id",
      "local_date",
      "program_name",
      "state",
      "version",
      "sites",
      "commitment_kw",
      "mean_reduction_kw",
      "performance",
    ],
  },
  { noun: "dispatches", verb: "download-results", endpoint: operator.downloadDispatchResults },
  { noun: "dispatches", verb: "download-sites", endpoint: operator.downloadSiteResults },
  { noun: "accounts", verb: "download", endpoint: operator.downloadAccounts },
  { noun: "sites", verb: "download", endpoint: operator.downloadSites },
  {
    noun: "scenarios",
    verb: "list",
    endpoint: operator.listAccountScenarios,
    columns: ["id", "scenario_type", "name", "speed", "state", "created_at", "final_at"],
  },
  { noun: "scenarios", verb: "report", endpoint: operator.getScenarioReport },
  {
    noun: "scenarios",
    verb: "deliveries",
    endpoint: operator.listScenarioDeliveries,
    columns: ["webhook_id", ...deliveryColumns],
  },
  {
    noun: "scenarios",
    verb: "certificates",
    endpoint: operator.listAccountCertificates,
    columns: ["id", "certified_at"],
  },
  { noun: "dispatches", verb: "performance", endpoint: operator.getAnyDispatchPerformance },
  { noun: "dispatches", verb: "download-table", endpoint: operator.downloadAnyDispatchTable },
  { noun: "reports", verb: "performance", endpoint: operator.getAnyPerformanceReport },
  { noun: "reports", verb: "download-performance", endpoint: operator.downloadAnyPerformanceReport },
  { noun: "dispatches", verb: "approve", endpoint: operator.approvePerformance },
  { noun: "dispatches", verb: "difference", endpoint: operator.getAnyPerformanceDifference },
  { noun: "dispatches", verb: "curve", endpoint: operator.getDispatchCurve },
  {
    noun: "dispatches",
    verb: "site-performance",
    // Without the choice of CSV: a command prints the JSON that it reads.
    endpoint: { ...operator.getAnySitePerformance, query: VersionQuery },
  },
  { noun: "statements", verb: "create", endpoint: operator.makeStatements },
  {
    noun: "statements",
    verb: "list",
    endpoint: operator.listAllStatements,
    columns: ["id", "month", "account_id", "account_name", "state", "version", "newest_version", "waiting", "totals"],
  },
  {
    noun: "statements",
    verb: "show",
    // Without the choice of CSV and HTML: a command prints the JSON that it reads.
    endpoint: { ...operator.getAnyStatement, query: operator.StatementVersionQuery },
  },
  { noun: "statements", verb: "download-inputs", endpoint: operator.downloadAnyStatementInputs },
  { noun: "statements", verb: "approve", endpoint: operator.approveStatement },
  { noun: "deliveries", verb: "resend", endpoint: operator.resendDelivery, columns: attemptColumns },
  { noun: "openadr3-clients", verb: "create", endpoint: operator.createOpenadrClient },
  { noun: "openadr3-clients", verb: "list", endpoint: operator.listOpenadrClients, columns: openadr3Columns },
  { noun: "openadr3-clients", verb: "create-business-logic", endpoint: operator.createBusinessLogic },
  {
    noun: "openadr3-clients",
    verb: "list-business-logic",
    endpoint: operator.listBusinessLogic,
    columns: openadr3Columns,
  },
  { noun: "openadr3-clients", verb: "show", endpoint: operator.getOpenadrClient },
  { noun: "openadr3-clients", verb: "change", endpoint: operator.changeOpenadrClient },
  { noun: "openadr3-clients", verb: "rotate-secret", endpoint: operator.rotateOpenadrSecret },
  { noun: "openadr3-clients", verb: "revoke", endpoint: operator.revokeOpenadrClient, done: "revoked" },
  { noun: "vens", verb: "create", endpoint: operator.createVen },
  { noun: "vens", verb: "list", endpoint: operator.listVens, columns: venColumns },
  { noun: "vens", verb: "show", endpoint: operator.getVen },
  { noun: "vens", verb: "change", endpoint: operator.changeVen },
  { noun: "vens", verb: "delete", endpoint: operator.deleteVen, done: "deleted" },
  { noun: "vens", verb: "events", endpoint: operator.listVenEvents },
  { noun: "vens", verb: "preview", endpoint: operator.previewVen },
  { noun: "vens", verb: "certify", endpoint: operator.certifyVen },
  { noun: "vens", verb: "revoke", endpoint: operator.revokeVenCertificate, done: "revoked" },
  { noun: "openadr", verb: "ca", endpoint: operator.getOpenadrAuthority },
  {
    noun: "alarms",
    verb: "list",
    endpoint: operator.listAlarms,
    columns: ["id", "kind", "subject", "account_id", "raised_at", "acknowledged_at", "message"],
  },
  { noun: "alarms", verb: "acknowledge", endpoint: operator.acknowledgeAlarm },
  { noun: "alarms", verb: "note", endpoint: operator.noteAlarm },
  { noun: "users", verb: "create", endpoint: operator.createUser },
  {
    noun: "users",
    verb: "list",
    endpoint: operator.listUsers,
    columns: ["id", "email", "name", "role", "account_id", "has_password", "has_totp", "disabled"],
  },
  { noun: "users", verb: "show", endpoint: operator.getUser },
  { noun: "users", verb: "change", endpoint: operator.changeUser },
  { noun: "users", verb: "invite", endpoint: operator.inviteUser },
  { noun: "users", verb: "sign-out", endpoint: operator.signOutUser, done: "signed out everywhere" },
  { noun: "users", verb: "delete", endpoint: operator.deleteUser, done: "deleted" },
  {
    noun: "audit",
    verb: "list",
    endpoint: operator.listAudit,
    columns: ["at", "actor", "action", "subject", "account_id"],
  },
];
