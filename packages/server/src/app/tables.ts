import type { Actor } from "../access/domain/account.js";
import type { Environment } from "../access/domain/api-key.js";
import type { RevocationReason } from "../access/domain/session.js";
import type { Role } from "../access/domain/user.js";
import type { Demo } from "../demo/domain/demo.js";
import type { SimulatedSite } from "../demo/domain/simulated-site.js";
import type { DispatchMetadata } from "../dispatch/domain/dispatch-members.js";
import type { Delivery } from "../notification/domain/delivery.js";
import type { WebhookEventName } from "../notification/domain/webhook.js";
import type { TargetResource, Ven, VenAcknowledgement } from "../openadr/domain/ven.js";
import type { Openadr3Client } from "../openadr-3/domain/client.js";
import type { ObjectChange, ObjectSource, StoredObjectType } from "../openadr-3/domain/stored-object.js";
import type { ShiftTexts } from "../oversight/domain/shift-report.js";
import type { FinalVersion } from "../performance/domain/version.js";
import type { AlarmKind } from "../platform/alarm.js";
import type { HolidayCalendar } from "../portfolio/domain/holidays.js";
import type { BaselineSetting, MeasurementSettings, StatusSetting } from "../portfolio/domain/measurement.js";
import type { OpenAdrSettings } from "../portfolio/domain/program.js";
import type { RulesVersion } from "../portfolio/domain/rules.js";
import type { AssetType, KwhMeans } from "../portfolio/domain/site.js";
import type { ScenarioType } from "../sandbox/domain/scenario.js";
import type { ParticipantAct } from "../sandbox/operations/scenario-service.js";
import type { Statement, StatementVersion, StoredSite } from "../settlement/domain/statement.js";
import type { Terms } from "../settlement/domain/terms.js";
import type { MappingProfile } from "../telemetry/operations/mapping-profile.js";

/** The columns of every table as `pg` reads them. Written by `npm run rows` from the migrated schema; not to be edited. */
declare module "../platform/database/columns.js" {
  interface Tables {
    readonly account_polls: {
      readonly account_id: string;
      readonly last_at: Date;
      readonly interval_seconds: number | null;
    };
    readonly accounts: {
      readonly id: string;
      readonly seq: number;
      readonly name: string;
      readonly disabled: boolean;
      readonly created_at: Date;
      readonly kwh_stamp: number;
      readonly is_simulated: boolean;
      readonly language: string | null;
    };
    readonly alarms: {
      readonly id: string;
      readonly seq: number;
      readonly kind: AlarmKind;
      readonly subject: string;
      readonly account_id: string | null;
      readonly message: string;
      readonly raised_at: Date;
      readonly acknowledged_at: Date | null;
      readonly cleared_at: Date | null;
      readonly note: string | null;
      readonly dispatch_id: string | null;
      readonly reason: string | null;
      readonly acknowledged_by: string | null;
      readonly assigned_to: string | null;
      readonly shelved_until: Date | null;
    };
    readonly api_keys: {
      readonly id: string;
      readonly seq: number;
      readonly account_id: string;
      readonly environment: Environment;
      readonly claim_token_hash: Buffer;
      readonly claim_expires_at: Date;
      readonly claimed_at: Date | null;
      readonly secret_hash: Buffer | null;
      readonly expires_at: Date | null;
      readonly revoked_at: Date | null;
      readonly last_used_at: Date | null;
      readonly created_at: Date;
    };
    readonly audit_log: {
      readonly seq: number;
      readonly at: Date;
      readonly actor: Actor;
      readonly action: string;
      readonly subject: string;
      readonly account_id: string | null;
      readonly before: unknown;
      readonly after: unknown;
    };
    readonly availability_blocks: {
      readonly id: string;
      readonly seq: number;
      readonly site_id: string;
      readonly start_time: Date;
      readonly end_time: Date;
      readonly created_at: Date;
      readonly available_kw: number | null;
      readonly series_id: string | null;
    };
    readonly calendars: {
      readonly seq: number;
      readonly id: string;
      readonly user_id: string;
      readonly token_hash: Buffer;
      readonly name: string;
      readonly program_id: string | null;
      readonly created_at: Date;
      readonly last_used_at: Date | null;
    };
    readonly channel_addresses: {
      readonly id: string;
      readonly seq: number;
      readonly account_id: string;
      readonly channel: string;
      readonly name: string;
      readonly form: string | null;
      readonly address: string | null;
      readonly hint: string;
      readonly created_at: Date;
      readonly deleted_at: Date | null;
      readonly failures: number;
      readonly last_error: string | null;
      readonly last_success_at: Date | null;
    };
    readonly charge_hours: {
      readonly site: number;
      readonly meter: number;
      readonly hour: number;
      readonly kwh: readonly number[];
    };
    readonly contacts: {
      readonly id: string;
      readonly seq: number;
      readonly account_id: string;
      readonly name: string;
      readonly email: string;
      readonly created_at: Date;
      readonly phone: string | null;
      readonly sms: boolean;
      readonly voice: boolean;
      readonly language: string | null;
    };
    readonly controllable_load: {
      readonly site: number;
      readonly at: Date;
      readonly interval_seconds: number;
      readonly kw: number;
    };
    readonly dated_ids: {
      readonly number: number;
      readonly kind: string;
      readonly id: string;
    };
    readonly demo: {
      readonly id: string;
      readonly state: Demo["state"];
      readonly started_at: Date;
      readonly started_by: Actor;
      readonly program_ids: readonly string[];
      readonly filled_until: Date | null;
      readonly progress: number;
      readonly leased_by: string | null;
      readonly leased_until: Date | null;
    };
    readonly devices: {
      readonly token_hash: Buffer;
      readonly user_id: string;
      readonly last_used_at: Date;
    };
    readonly dispatch_page_reads: {
      readonly dispatch_id: string;
      readonly account_id: string;
      readonly modification_number: number;
      readonly user_id: string;
      readonly user_name: string;
      readonly at: Date;
    };
    readonly dispatch_reads: {
      readonly dispatch_id: string;
      readonly account_id: string;
      readonly modification_number: number;
      readonly how: string;
      readonly at: Date;
    };
    readonly dispatch_revisions: {
      readonly dispatch_id: string;
      readonly modification_number: number;
      readonly at: Date;
      readonly actor: string;
      readonly start_time: Date;
      readonly end_time: Date | null;
      readonly authorized: boolean;
    };
    readonly dispatch_sites: {
      readonly dispatch_id: string;
      readonly position: number;
      readonly site_id: string;
      readonly account_id: string;
      readonly name: string;
      readonly customer_location_id: string;
      readonly dispatch_group: string;
      readonly commitment_kw: number | null;
      readonly baseline: BaselineSetting | null;
      readonly measured_meters: readonly string[] | null;
      readonly was_enrolled: boolean;
    };
    readonly dispatches: {
      readonly id: string;
      readonly seq: number;
      readonly program_id: string;
      readonly program_name: string;
      readonly program_timezone: string;
      readonly program_market: string;
      readonly program_type: string;
      readonly test: boolean;
      readonly authorized: boolean;
      readonly start_time: Date;
      readonly end_time: Date | null;
      readonly notification_time: Date;
      readonly modification_number: number;
      readonly created_at: Date;
      readonly changed_at: Date;
      readonly baseline: BaselineSetting | null;
      readonly holidays: MeasurementSettings["holidays"];
      readonly status_limits: StatusSetting | null;
      readonly void_reason: string | null;
      readonly tests_are_events: boolean;
      readonly corrections_days: number | null;
      readonly is_record: boolean;
      readonly metadata: DispatchMetadata;
      readonly self_made: boolean;
      readonly called_sites: number | null;
      readonly called_kw: number | null;
    };
    readonly enrolments: {
      readonly program_id: string;
      readonly site_id: string;
      readonly seq: number;
      readonly commitment_kw: number | null;
      readonly baseline: BaselineSetting | null;
      readonly enrolled_at: Date;
    };
    readonly escalations: {
      readonly message_id: string;
      readonly overdue_at: Date;
      readonly settled_at: Date | null;
    };
    readonly excluded_days: {
      readonly seq: number;
      readonly site_id: string;
      readonly date: string;
      readonly reason: string;
      readonly actor: Actor;
      readonly at: Date;
    };
    readonly follower_faults: {
      readonly follower: string;
      readonly seq: number;
      readonly environment: string;
      readonly at: Date;
      readonly kind: string;
      readonly subject: string;
      readonly ref: number | null;
      readonly accounts: readonly string[] | null;
      readonly next_attempt_at: Date | null;
      readonly failures: number;
      readonly error: string | null;
      readonly since: Date;
    };
    readonly followers: {
      readonly name: string;
      readonly seen: string;
      readonly page: string | null;
      readonly page_after: number | null;
      readonly moved_at: Date;
      readonly kinds: readonly string[];
      readonly behind_after_seconds: number | null;
      readonly stream: string;
      readonly leased_by: string | null;
      readonly leased_until: Date | null;
    };
    readonly integration_certificates: {
      readonly seq: number;
      readonly id: string;
      readonly account_id: string;
      readonly certified_at: Date;
      readonly passes: unknown;
    };
    readonly journal: {
      readonly seq: number;
      readonly xid: string;
      readonly environment: string;
      readonly at: Date;
      readonly kind: string;
      readonly subject: string;
      readonly ref: number | null;
      readonly accounts: readonly string[] | null;
      readonly trace: string | null;
    };
    readonly kept_answers: {
      readonly id: string;
      readonly holder: string;
      readonly request_hash: Buffer;
      readonly claimed_at: Date;
      readonly answer: string | null;
    };
    readonly late_corrections: {
      readonly seq: number;
      readonly dispatch_id: string;
      readonly site_id: string;
      readonly reason: string;
      readonly actor: Actor | null;
      readonly note: string | null;
      readonly first_noted_at: Date;
      readonly noted_at: Date;
      readonly due_at: Date;
    };
    readonly late_notes: {
      readonly seq: number;
      readonly site: number;
      readonly reason: string;
      readonly dispatch_id: string | null;
      readonly actor: Actor | null;
      readonly note: string | null;
      readonly from_at: Date;
      readonly to_at: Date;
      readonly first_noted_at: Date;
      readonly noted_at: Date;
      readonly settled_at: Date | null;
      readonly due_at: Date;
      readonly found_at: Date | null;
    };
    readonly load_profiles: {
      readonly site: number;
      readonly day: number;
      readonly made_for: number;
      readonly cut: number;
      readonly kw: Buffer;
    };
    readonly mail_handovers: {
      readonly mail_id: string;
      readonly number: number;
      readonly at: Date;
      readonly modification_number: number;
      readonly subject: string;
      readonly text: string;
    };
    readonly mail_recipients: {
      readonly mail_id: string;
      readonly number: number;
      readonly email: string;
      readonly name: string;
      readonly answer: string;
      readonly reply: string | null;
    };
    readonly mapping_profiles: {
      readonly id: string;
      readonly seq: number;
      readonly account_id: string;
      readonly name: string;
      readonly header: string | null;
      readonly mapping: MappingProfile["mapping"];
      readonly saved_by: Actor;
      readonly saved_at: Date;
    };
    readonly message_attempts: {
      readonly message_id: string;
      readonly number: number;
      readonly at: Date;
      readonly status: number | null;
      readonly duration_ms: number;
      readonly address: string | null;
      readonly error: string | null;
      readonly is_resend: boolean;
      readonly gave_up: boolean | null;
      readonly response_type: string | null;
      readonly response_body: string | null;
    };
    readonly messages: {
      readonly id: string;
      readonly seq: number;
      readonly recipient: string;
      readonly notice_seq: number | null;
      readonly subject: string;
      readonly event: WebhookEventName;
      readonly state: Delivery["state"];
      readonly failures: number;
      readonly next_attempt_at: Date | null;
      readonly leased_until: Date | null;
      readonly resend_at: Date | null;
      readonly created_at: Date;
      readonly ended_at: Date | null;
      readonly reason: string | null;
      readonly behind: boolean;
      readonly channel: string;
      readonly account_id: string | null;
      readonly modification: number | null;
      readonly detail: unknown;
      readonly user_id: string | null;
    };
    readonly meters: {
      readonly id: string;
      readonly key: number;
      readonly seq: number;
      readonly site_id: string;
      readonly name: string;
      readonly asset_type: AssetType;
      readonly created_at: Date;
      readonly interval_seconds: number | null;
      readonly kwh_means: KwhMeans;
    };
    readonly notice_preferences: {
      readonly user_id: string;
      readonly dispatch_mail: boolean;
      readonly dispatch_push: boolean;
      readonly change_mail: boolean;
      readonly change_push: boolean;
      readonly alarm_mail: boolean;
      readonly alarm_push: boolean;
      readonly quiet_from: string | null;
      readonly quiet_until: string | null;
      readonly time_zone: string;
      readonly changed_at: Date;
    };
    readonly notices: {
      readonly seq: number;
      readonly dispatch_id: string;
      readonly event: WebhookEventName;
      readonly due_at: Date;
      readonly state: string;
      readonly modification_number: number;
      readonly owed_since: Date | null;
      readonly owed_look_at: Date | null;
      readonly noted_at: Date | null;
      readonly disabled_accounts: readonly string[];
      readonly slices: number;
      readonly behind: boolean;
    };
    readonly openadr3_answers: {
      readonly seq: number;
      readonly dispatch_id: string;
      readonly client_id: string;
      readonly modification_number: number;
      readonly report_id: string;
      readonly opt: string | null;
      readonly state: string;
      readonly resource_names: readonly string[];
      readonly at: Date;
    };
    readonly openadr3_broker_findings: {
      readonly kind: string;
      readonly subject: string;
      readonly found_at: Date;
    };
    readonly openadr3_change_sizes: {
      readonly client_id: string;
      readonly bytes: number;
    };
    readonly openadr3_changes: {
      readonly seq: number;
      readonly environment: Environment;
      readonly operation: ObjectChange["operation"];
      readonly object_type: StoredObjectType;
      readonly object_id: string;
      readonly object: unknown;
      readonly targets: readonly string[];
      readonly client_id: string | null;
      readonly program_id: string | null;
      readonly ven_id: string | null;
      readonly source: ObjectSource["kind"] | null;
      readonly source_id: string | null;
      readonly written_by: string | null;
      readonly at: Date;
      readonly kept_targets: readonly string[] | null;
      readonly xid: string;
    };
    readonly openadr3_clients: {
      readonly seq: number;
      readonly id: string;
      readonly role: Openadr3Client["role"];
      readonly account_id: string | null;
      readonly environment: Environment;
      readonly name: string;
      readonly site_ids: readonly string[] | null;
      readonly scopes: readonly string[];
      readonly external_id: string | null;
      readonly secret_hash: Buffer | null;
      readonly previous_secret_hash: Buffer | null;
      readonly previous_secret_until: Date | null;
      readonly tokens_from: Date;
      readonly created_at: Date;
      readonly revoked_at: Date | null;
      readonly last_used_at: Date | null;
    };
    readonly openadr3_notices: {
      readonly dispatch_id: string;
      readonly client_id: string;
      readonly modification_number: number;
      readonly account_id: string;
      readonly operation: string;
      readonly event_id: string;
      readonly site_ids: readonly string[];
      readonly modified_at: Date;
      readonly change_seq: number;
      readonly at: Date;
      readonly client_name: string;
    };
    readonly openadr3_objects: {
      readonly seq: number;
      readonly id: string;
      readonly environment: Environment;
      readonly object_type: StoredObjectType;
      readonly client_id: string | null;
      readonly program_id: string | null;
      readonly event_id: string | null;
      readonly ven_id: string | null;
      readonly name: string | null;
      readonly targets: readonly string[];
      readonly transpires_at: Date | null;
      readonly body: unknown;
      readonly bearer_tokens: string | null;
      readonly source: ObjectSource["kind"] | null;
      readonly source_id: string | null;
      readonly registered_at: Date | null;
      readonly created_at: Date;
      readonly modified_at: Date;
    };
    readonly openadr3_polls: {
      readonly client_id: string;
      readonly last_at: Date;
      readonly interval_seconds: number | null;
    };
    readonly openadr3_report_sizes: {
      readonly client_id: string;
      readonly bytes: number;
    };
    readonly openadr3_showings: {
      readonly dispatch_id: string;
      readonly client_id: string;
      readonly modification_number: number;
      readonly at: Date;
    };
    readonly passing_messages: {
      readonly id: string;
      readonly seq: number;
      readonly change_seq: number;
      readonly recipient: string;
      readonly entry: number;
      readonly client_id: string;
      readonly subject: string;
      readonly state: string;
      readonly failures: number;
      readonly next_attempt_at: Date | null;
      readonly leased_until: Date | null;
      readonly created_at: Date;
      readonly ended_at: Date | null;
      readonly reason: string | null;
      readonly channel: string;
      readonly behind: boolean;
      readonly account_id: string | null;
      readonly event: string;
      readonly modification: number | null;
      readonly detail: unknown;
    };
    readonly performance_results: {
      readonly dispatch_id: string;
      readonly site_id: string;
      readonly version: number;
      readonly summary: unknown;
      readonly detail: unknown;
    };
    readonly performance_versions: {
      readonly dispatch_id: string;
      readonly version: number;
      readonly at: Date;
      readonly reason: FinalVersion["reason"];
      readonly actor: Actor | null;
      readonly note: string | null;
      readonly rules_version: RulesVersion;
    };
    readonly phone_calls: {
      readonly seq: number;
      readonly dispatch_id: string;
      readonly account_id: string;
      readonly modification_number: number;
      readonly at: Date;
      readonly recorded_at: Date;
      readonly person: string;
      readonly note: string;
      readonly actor: Actor;
      readonly actor_name: string | null;
    };
    readonly program_terms: {
      readonly seq: number;
      readonly program_id: string;
      readonly from_month: string;
      readonly terms: Terms | null;
      readonly set_at: Date;
      readonly actor: Actor;
    };
    readonly programs: {
      readonly id: string;
      readonly seq: number;
      readonly name: string;
      readonly timezone: string;
      readonly market: string;
      readonly program_type: string;
      readonly schedule_cutoff_seconds: number;
      readonly openadr: OpenAdrSettings | null;
      readonly built_in: boolean;
      readonly created_at: Date;
      readonly baseline: BaselineSetting | null;
      readonly holidays: MeasurementSettings["holidays"];
      readonly status_limits: StatusSetting | null;
      readonly tests_are_events: boolean;
      readonly corrections_days: number | null;
      readonly longest_open_hours: number;
      readonly is_public: boolean;
      readonly holiday_calendar: HolidayCalendar | null;
      readonly is_simulated: boolean;
    };
    readonly push_keys: {
      readonly id: string;
      readonly public_key: string;
      readonly private_key: string;
    };
    readonly push_subscriptions: {
      readonly id: string;
      readonly seq: number;
      readonly user_id: string;
      readonly session_id: string;
      readonly endpoint_hash: Buffer;
      readonly target: string;
      readonly host: string;
      readonly name: string;
      readonly created_at: Date;
      readonly last_success_at: Date | null;
      readonly last_error: string | null;
    };
    readonly readings: {
      readonly account_id: string;
      readonly site_id: string;
      readonly at: Date;
      readonly kw: number;
      readonly sent_at: Date;
    };
    readonly recovery_codes: {
      readonly user_id: string;
      readonly code_hash: Buffer;
      readonly used_at: Date | null;
    };
    readonly request_log: {
      readonly seq: number;
      readonly account_id: string;
      readonly key_id: string;
      readonly at: Date;
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly message: string | null;
      readonly count: number;
      readonly total_ms: number;
      readonly max_ms: number;
      readonly is_sum: boolean;
    };
    readonly rules_adoptions: {
      readonly seq: number;
      readonly rules_version: RulesVersion;
      readonly adopted_at: Date;
      readonly from_month: string | null;
      readonly actor: Actor | null;
      readonly reason: string | null;
    };
    readonly scenario_acts: {
      readonly scenario_id: string;
      readonly what: ParticipantAct["what"];
      readonly dispatch_id: string;
      readonly number: number;
      readonly first_at: Date;
      readonly last_at: Date;
      readonly count: number;
    };
    readonly scenario_steps: {
      readonly scenario_id: string;
      readonly dispatch_id: string;
      readonly position: number;
      readonly number: number;
      readonly dispatch: unknown;
    };
    readonly scenarios: {
      readonly id: string;
      readonly seq: number;
      readonly account_id: string;
      readonly scenario_type: ScenarioType;
      readonly name: string | null;
      readonly speed: number;
      readonly created_at: Date;
      readonly replaced_at: Date | null;
      readonly report: unknown;
      readonly deleted_at: Date | null;
      readonly sites: number;
      readonly key_id: string | null;
    };
    readonly sessions: {
      readonly id: string;
      readonly seq: number;
      readonly token_hash: Buffer;
      readonly user_id: string;
      readonly created_at: Date;
      readonly last_seen_at: Date;
      readonly expires_at: Date;
      readonly revoked_at: Date | null;
      readonly user_agent: string;
      readonly address: string;
      readonly end_reason: RevocationReason | null;
    };
    readonly settings: {
      readonly name: string;
      readonly value: string;
    };
    readonly shift_report_versions: {
      readonly report_id: string;
      readonly version: number;
      readonly at: Date;
      readonly actor: Actor;
      readonly texts: ShiftTexts;
    };
    readonly shift_reports: {
      readonly id: string;
      readonly seq: number;
      readonly from_time: Date;
      readonly to_time: Date;
      readonly kept_at: Date;
      readonly drawn: unknown;
      readonly dispatch_count: number;
      readonly open_alarm_count: number;
    };
    readonly simulated_site: {
      readonly id: string;
      readonly state: SimulatedSite["state"];
      readonly started_at: Date;
      readonly started_by: Actor;
      readonly account_id: string;
      readonly program_id: string;
      readonly site_id: string;
      readonly filled_until: Date;
      readonly is_being_deleted: boolean;
      readonly leased_by: string | null;
      readonly leased_until: Date | null;
    };
    readonly site_decisions: {
      readonly seq: number;
      readonly dispatch_id: string;
      readonly site_id: string;
      readonly counts: string | null;
      readonly reason: string;
      readonly actor: string;
      readonly at: Date;
    };
    readonly sites: {
      readonly id: string;
      readonly key: number;
      readonly seq: number;
      readonly account_id: string;
      readonly name: string;
      readonly customer_location_id: string;
      readonly dispatch_group: string;
      readonly timezone: string;
      readonly created_at: Date;
      readonly display_enabled_at: Date | null;
      readonly measured_meters: readonly string[] | null;
      readonly is_simulated: boolean;
      readonly latitude: number | null;
      readonly longitude: number | null;
    };
    readonly statement_sites: {
      readonly statement_id: string;
      readonly program_id: string;
      readonly site_id: string;
      readonly version: number;
      readonly name: string;
      readonly settled: StoredSite | null;
    };
    readonly statement_versions: {
      readonly statement_id: string;
      readonly version: number;
      readonly at: Date;
      readonly reason: StatementVersion["reason"];
      readonly actor: Actor | null;
      readonly note: string | null;
      readonly changes: StatementVersion["changes"];
      readonly change_count: number;
      readonly programs: StatementVersion["programs"];
      readonly totals: StatementVersion["totals"];
      readonly traces: StatementVersion["traces"];
      readonly trace_count: number;
    };
    readonly statements: {
      readonly seq: number;
      readonly id: string;
      readonly account_id: string;
      readonly month: string;
      readonly ends_at: Date | null;
      readonly waiting: Statement["waiting"];
      readonly due_seq: number | null;
      readonly reach_from: Date | null;
      readonly reach_to: Date | null;
      readonly due_at: Date | null;
      readonly drawn_at: Date | null;
    };
    readonly telemetry_archives: {
      readonly seq: number;
      readonly site: number;
      readonly month: number;
      readonly file: string;
      readonly readings: number;
      readonly bytes: number;
      readonly sha256: string;
      readonly archived_at: Date;
    };
    readonly telemetry_days: {
      readonly site: number;
      readonly meter: number;
      readonly day: number;
      readonly hours: number;
      readonly block: Buffer;
    };
    readonly telemetry_hours: {
      readonly site: number;
      readonly meter: number;
      readonly hour: number;
      readonly kw: readonly number[];
    };
    readonly telemetry_log: {
      readonly seq: number;
      readonly xid: string;
      readonly at: Date;
      readonly first_hour: number;
      readonly last_hour: number;
      readonly readings: Buffer;
      readonly count: number;
      readonly hours: string;
    };
    readonly telemetry_log_state: {
      readonly is_one: boolean;
      readonly folded_below: string;
    };
    readonly telemetry_meters: {
      readonly site: number;
      readonly meter: number;
    };
    readonly user_invitations: {
      readonly token_hash: Buffer;
      readonly user_id: string | null;
      readonly created_at: Date;
      readonly expires_at: Date;
      readonly used_at: Date | null;
    };
    readonly users: {
      readonly id: string;
      readonly seq: number;
      readonly email: string;
      readonly name: string;
      readonly role: Role;
      readonly account_id: string | null;
      readonly password_hash: string | null;
      readonly totp_secret: string | null;
      readonly totp_confirmed_at: Date | null;
      readonly totp_last_step: number | null;
      readonly oidc_issuer: string | null;
      readonly oidc_subject: string | null;
      readonly disabled: boolean;
      readonly created_at: Date;
      readonly accepted_at: Date | null;
      readonly deleted_at: Date | null;
      readonly dismissed_hints: readonly string[];
      readonly language: string | null;
    };
    readonly ven_acknowledgements: {
      readonly seq: number;
      readonly ven: string;
      readonly dispatch_id: string;
      readonly modification_number: number;
      readonly opt: VenAcknowledgement["opt"];
      readonly response_code: string;
      readonly at: Date;
    };
    readonly ven_certificates: {
      readonly fingerprint: string;
      readonly ven: string;
      readonly pem: string;
      readonly not_before: Date;
      readonly expires_at: Date;
      readonly revoked_at: Date | null;
      readonly created_at: Date;
    };
    readonly ven_claims: {
      readonly token_hash: Buffer;
      readonly ven: string;
      readonly days: number;
      readonly created_at: Date;
      readonly expires_at: Date;
      readonly used_at: Date | null;
    };
    readonly ven_errors: {
      readonly ven: string;
      readonly dispatch_id: string;
      readonly modification_number: number;
      readonly code: string;
      readonly description: string | null;
      readonly first_at: Date;
      readonly last_at: Date;
      readonly count: number;
      readonly resolved_at: Date | null;
      readonly latest_description: string | null;
    };
    readonly ven_events: {
      readonly seq: number;
      readonly ven: string;
      readonly dispatch_id: string;
      readonly first_shown_at: Date;
      readonly shown_modification: number;
      readonly modification_shown_at: Date;
      readonly priority: number | null;
      readonly acknowledged_modification: number | null;
      readonly opt: VenAcknowledgement["opt"] | null;
      readonly response_code: string | null;
      readonly acknowledged_at: Date | null;
    };
    readonly ven_notices: {
      readonly dispatch_id: string;
      readonly ven: string;
      readonly modification_number: number;
      readonly at: Date;
      readonly ven_id: string;
      readonly site_ids: readonly string[] | null;
      readonly poll_interval_seconds: number;
      readonly poll_by: Date;
    };
    readonly ven_omissions: {
      readonly ven: string;
      readonly dispatch_id: string;
      readonly modification_number: number;
      readonly reply_limit: number;
      readonly at: Date;
    };
    readonly ven_push_attempts: {
      readonly seq: number;
      readonly ven: string;
      readonly dispatch_id: string;
      readonly modification_number: number;
      readonly number: number;
      readonly at: Date;
      readonly status: number | null;
      readonly duration_ms: number;
      readonly address: string | null;
      readonly error: string | null;
      readonly gave_up: boolean | null;
    };
    readonly ven_push_drops: {
      readonly ven: string;
      readonly dispatch_id: string;
      readonly modification_number: number;
      readonly at: Date;
      readonly reason: string;
    };
    readonly ven_pushes: {
      readonly ven: string;
      readonly dispatch_id: string;
      readonly modification_number: number;
      readonly failures: number;
      readonly next_attempt_at: Date | null;
      readonly leased_until: Date | null;
    };
    readonly ven_showings: {
      readonly ven: string;
      readonly dispatch_id: string;
      readonly modification_number: number;
      readonly how: string;
      readonly at: Date;
      readonly acknowledge_by: Date;
    };
    readonly vens: {
      readonly id: string;
      readonly seq: number;
      readonly account_id: string;
      readonly ven_id: string;
      readonly environment: Environment;
      readonly site_ids: readonly string[] | null;
      readonly push_url: string | null;
      readonly push_ca: string | null;
      readonly target_resource: TargetResource;
      readonly target_ven_id: boolean;
      readonly market_context: Ven["marketContext"];
      readonly poll_interval_seconds: number;
      readonly created_at: Date;
      readonly deleted_at: Date | null;
      readonly last_poll_at: Date | null;
      readonly last_acknowledgement_at: Date | null;
    };
    readonly vtn_listening: {
      readonly id: string;
      readonly since: Date;
      readonly until: Date;
    };
    readonly webhooks: {
      readonly id: string;
      readonly seq: number;
      readonly account_id: string;
      readonly url: string;
      readonly events: readonly WebhookEventName[];
      readonly secret: string;
      readonly previous_secret: string | null;
      readonly previous_secret_until: Date | null;
      readonly created_at: Date;
      readonly deleted_at: Date | null;
      readonly interface_version: string;
    };
  }
}
