import Type from "typebox";
import { OWN_NAME } from "../brand.js";
import { LANGUAGES } from "../words.js";
import {
  address,
  addresses,
  addressOrNone,
  brandColour,
  brandLinks,
  countOrOff,
  countryCode,
  emailTrust,
  encryptionKeys,
  file,
  folder,
  folderOrOff,
  headerList,
  headerName,
  hostnames,
  issuerAddress,
  networks,
  nonEmpty,
  oneOf,
  port,
  recipients,
  secret,
  share,
  shortName,
  shownText,
  someOf,
  tileTemplate,
  timeOfDay,
  trueOrFalse,
  wholeNumber,
} from "./setting-types.js";

export const roles = ["api", "worker", "vtn"] as const;

/** Those that the contract has; a test compares them. */
export const earlierVersions = ["2020-12-30"] as const;

const MAX_COUNT = 1_000_000_000;
/** It stands in the navigation and before each SMS. */
const MAX_BRAND_NAME = 40;
const MAX_BRAND_FOOTER = 400;

/** Every setting of the service; a test compares docs/configuration.md with it. */
export const settings = Type.Object({
  host: nonEmpty({ variable: "CURTAIL_HOST", default: "127.0.0.1", description: "listen address" }),
  port: port({
    variable: "CURTAIL_PORT",
    default: 8080,
    description: "pages, REST, operator API, reference; 0 takes a free port",
  }),
  sandboxPort: port({
    variable: "CURTAIL_SANDBOX_PORT",
    default: 8081,
    description: "REST API of the sandbox; 0 takes a free port",
  }),
  operatorPort: port({
    variable: "CURTAIL_OPERATOR_PORT",
    unset: "unset: the main port",
    description: "separate port for operators: operator API, sign-in, their pages; 0 takes a free port",
  }),
  operatorHost: nonEmpty({
    variable: "CURTAIL_OPERATOR_HOST",
    unset: "`CURTAIL_HOST`",
    description: "listen address of the operators' port",
  }),
  operatorPublicUrl: address(["http", "https"], {
    variable: "CURTAIL_OPERATOR_PUBLIC_URL",
    unset: "the public host, operators' port",
    description: "address that operators' browsers use for it",
  }),
  sandboxPublicKey: nonEmpty({
    variable: "CURTAIL_SANDBOX_PUBLIC_KEY",
    default: "sandbox-public-key",
    description: "key that anyone may use in the sandbox",
  }),
  publicUrl: address(["http", "https"], {
    variable: "CURTAIL_PUBLIC_URL",
    unset: "`http://HOST:PORT`",
    description: "address that browsers and links use; required if the host is not a single address",
  }),
  sandboxPublicUrl: address(["http", "https"], {
    variable: "CURTAIL_SANDBOX_PUBLIC_URL",
    unset: "the public host, sandbox port",
    description: "address of the sandbox, as shown to participants",
  }),
  openadrPublicUrl: address(["https"], {
    variable: "CURTAIL_OPENADR_PUBLIC_URL",
    unset: "the host, OpenADR port",
    description: "address for VENs, as shown to participants (https)",
  }),
  dataDir: folder({
    variable: "CURTAIL_DATA_DIR",
    default: "./data",
    description: "directory of the included database, the secrets key and the certificate authority of VENs; mode 0700",
  }),
  postgresPrograms: folder({
    variable: "CURTAIL_POSTGRES_PROGRAMS",
    unset: "those that come with Curtail",
    description:
      "folder of the programs of another PostgreSQL, 15 or newer, that runs the included database, such as `/usr/lib/postgresql/17/bin`",
  }),
  databaseUrl: address(["postgres", "postgresql"], {
    variable: "DATABASE_URL",
    unset: "the included database",
    description: "`postgresql://…` of PostgreSQL 15 or newer",
  }),
  databaseListenUrl: addressOrNone(["postgres", "postgresql"], {
    variable: "CURTAIL_DATABASE_LISTEN_URL",
    unset: "the address of the database",
    description:
      "address of the same database that bypasses a pooler which hands out connections by transaction: for `LISTEN`, locks and settings of a session ([several machines](scaling.md)); `none`: the service looks for changes four times a second instead of listening",
  }),
  databaseConnections: wholeNumber(6, 1000, {
    variable: "CURTAIL_DATABASE_CONNECTIONS",
    default: 16,
    description: "connections to the database for requests; queues, VENs and the sandbox open as many again in all",
  }),
  databaseStandbys: wholeNumber(1, 8, {
    variable: "CURTAIL_DATABASE_STANDBYS",
    unset: "unset: as many as the database asks for",
    description:
      "synchronous standbys that the database should have ([failover](failover.md)); patroni asks for none while none is there",
  }),
  standbyLagMb: wholeNumber(1, MAX_COUNT, {
    variable: "CURTAIL_STANDBY_LAG_MB",
    default: 256,
    description: "by how much of the log a standby may be behind before an alarm, in MB",
  }),
  standbySlotMb: wholeNumber(1, MAX_COUNT, {
    variable: "CURTAIL_STANDBY_SLOT_MB",
    default: 4096,
    description: "how much of its log a primary may keep for a standby before an alarm, in MB",
  }),
  operatorToken: secret({
    variable: "CURTAIL_OPERATOR_TOKEN",
    unset: "generated and shown at the first start",
    description: "bearer token of the operator API",
  }),
  secretsKeys: encryptionKeys({
    variable: "CURTAIL_SECRETS_KEY",
    unset: "`secrets.key`, generated at the start",
    description:
      "encrypts secrets in the database: 32 bytes in base64, or several such keys, of which the first encrypts",
  }),
  apiKeyHeader: headerName({
    variable: "CURTAIL_API_KEY_HEADER",
    default: "X-Service-API-Key",
    description: "name of the header that carries participants' keys",
  }),
  earlierVersions: someOf(earlierVersions, {
    variable: "CURTAIL_EARLIER_VERSIONS",
    unset: "unset: none",
    description: "earlier versions of the participants' interface that are served with the current one: `2020-12-30`",
  }),
  rateLimitDispatches: wholeNumber(1, MAX_COUNT, {
    variable: "CURTAIL_RATE_LIMIT_DISPATCHES",
    default: 300,
    description: "`GET /dispatches` per minute and key",
  }),
  rateLimit: wholeNumber(1, MAX_COUNT, {
    variable: "CURTAIL_RATE_LIMIT",
    default: 1200,
    description: "other requests per minute and key",
  }),
  maxBodyBytes: wholeNumber(1024, MAX_COUNT, {
    variable: "CURTAIL_MAX_BODY_BYTES",
    default: 10_485_760,
    description: "largest upload of readings with an account's key, in bytes; the limit of other bodies is 256 KB",
  }),
  maxReadings: wholeNumber(1, MAX_COUNT, {
    variable: "CURTAIL_MAX_READINGS",
    default: 50_000,
    description: "maximum number of readings in one upload",
  }),
  foldAfter: countOrOff(3600, {
    variable: "CURTAIL_FOLD_AFTER",
    unset: "`3600` in a new store, `off` in an older one",
    description:
      "appends uploads of few readings for each meter to a log, and writes so many seconds of them into rows at once; in a store from before 0.3.0, set it once every process is upgraded",
  }),
  packAfter: countOrOff(36_500, {
    variable: "CURTAIL_PACK_AFTER",
    unset: "`3` in a new store, `off` in an older one",
    description:
      "packs the readings of days (UTC) that ended this many days ago; in a store from before 0.3.0, set it once every process is upgraded",
  }),
  packShare: wholeNumber(1, 100, {
    variable: "CURTAIL_PACK_SHARE",
    default: 10,
    description:
      "the time that each worker process spends packing, archiving and making load profiles, in percent of one core",
  }),
  keepTelemetry: wholeNumber(400, 36_500, {
    variable: "CURTAIL_KEEP_TELEMETRY",
    unset: "unset: readings are kept forever",
    description:
      "days for which readings are kept, at least 400: older months (UTC) go to the archive, and readings of them are refused",
  }),
  telemetryArchive: folder({
    variable: "CURTAIL_TELEMETRY_ARCHIVE",
    unset: "`telemetry-archive` in the data directory",
    description: "directory of the archive; with worker processes on several machines, one that they share",
  }),
  backupDirectory: folderOrOff({
    variable: "CURTAIL_BACKUP_DIRECTORY",
    unset: "unset: no daily backup",
    description: "directory of daily backups, best on another disk; `off` ends daily backups and the alarm about them",
  }),
  backupAt: timeOfDay({
    variable: "CURTAIL_BACKUP_AT",
    default: "02:30",
    description: "time of the daily backup (UTC)",
  }),
  backupKeepDays: wholeNumber(1, 36_500, {
    variable: "CURTAIL_BACKUP_KEEP",
    default: 14,
    description: "days for which daily backups are kept; the newest one is never deleted",
  }),
  backupRecipients: recipients({
    variable: "CURTAIL_BACKUP_RECIPIENTS",
    unset: "unset: none; needed with a directory",
    description: "public keys for which backups are encrypted (`curtail backup keygen`), separated by commas",
  }),
  backupDatabaseUrl: address(["postgres", "postgresql"], {
    variable: "CURTAIL_BACKUP_DATABASE_URL",
    unset: "unset: the database itself",
    description:
      "address of a standby that backups are read from ([why](point-in-time.md#backups-of-curtail-from-the-standby)); requires `DATABASE_URL`",
  }),
  metricsToken: secret({
    variable: "CURTAIL_METRICS_TOKEN",
    unset: "unset: only this machine",
    description: "bearer token of `GET /metrics`",
  }),
  metricsPort: port({
    variable: "CURTAIL_METRICS_PORT",
    unset: "unset: none of its own",
    description:
      "separate port, in any role, with only `/metrics`, `/healthz` and `/readyz`: for a process without the role `api`; 0 takes a free port",
  }),
  metricsHost: nonEmpty({
    variable: "CURTAIL_METRICS_HOST",
    unset: "`CURTAIL_HOST`",
    description: "listen address of that port",
  }),
  roles: someOf(roles, {
    variable: "CURTAIL_ROLES",
    default: roles,
    description: "roles of this process; a subset requires `DATABASE_URL`",
  }),
  webhookAllowedNetworks: networks({
    variable: "CURTAIL_WEBHOOK_ALLOWED_NETWORKS",
    default: [],
    description:
      "networks (CIDRs, comma-separated) that webhooks and push messages may reach in addition to public addresses; participants are not shown what webhooks there respond",
  }),
  webhookAllowHttp: trueOrFalse({
    variable: "CURTAIL_WEBHOOK_ALLOW_HTTP",
    default: false,
    description: "allows http to public addresses; http to allowed networks is always permitted",
  }),
  brandName: shownText(MAX_BRAND_NAME, {
    variable: "CURTAIL_BRAND_NAME",
    default: OWN_NAME,
    description: "name of the service on pages and in messages ([branding](branding.md))",
  }),
  brandLogo: file({
    variable: "CURTAIL_BRAND_LOGO",
    unset: "unset: that of Curtail",
    description: "file of the logo, SVG or PNG, at most 200 kB",
  }),
  brandColour: brandColour({
    variable: "CURTAIL_BRAND_COLOUR",
    unset: "unset: that of Curtail",
    description: "colour of links and buttons, such as `#1d4ed8`; its shades are made to be readable in light and dark",
  }),
  brandFooter: shownText(MAX_BRAND_FOOTER, {
    variable: "CURTAIL_BRAND_FOOTER",
    unset: "unset: none",
    description: "text at the foot of pages and emails, such as the company's name and address",
  }),
  brandLinks: brandLinks({
    variable: "CURTAIL_BRAND_LINKS",
    unset: "unset: none",
    description: "legal links at the foot of pages and emails: `Imprint=https://…;Privacy=https://…`",
  }),
  smtpUrl: address(["smtp", "smtps"], {
    variable: "CURTAIL_SMTP_URL",
    unset: "unset: emails are kept, not sent",
    description:
      "`smtp://…` or `smtps://…` for emails to dispatch contacts and to [persons](notifications.md), `?from=` for the sender, with the name of the service unless it has its own (`Desk <desk@example.com>`), `&replyTo=` for another address for replies, `?maxConnections=` for fewer than 20 connections",
  }),
  smsUrl: address(["http", "https"], {
    variable: "CURTAIL_SMS_URL",
    unset: "unset: no SMS",
    description: "gateway that sends SMS to dispatch contacts ([docs](gateway.md))",
  }),
  voiceUrl: address(["http", "https"], {
    variable: "CURTAIL_VOICE_URL",
    unset: "unset: no calls",
    description: "gateway that calls dispatch contacts; may be the same",
  }),
  gatewayToken: secret({
    variable: "CURTAIL_GATEWAY_TOKEN",
    unset: "unset: no authentication",
    description: "bearer token that the gateways get",
  }),
  language: oneOf(LANGUAGES, {
    variable: "CURTAIL_LANGUAGE",
    default: "en",
    description:
      "language of emails, messages, calendars and pages for those who chose none and whose browser asks for none: `en`, `es`, `de` or `fr` ([docs](languages.md))",
  }),
  trustedProxies: networks({
    variable: "CURTAIL_TRUSTED_PROXIES",
    default: [],
    description: "networks (CIDRs) of proxies whose `x-forwarded-for` header is trusted, for limits per address",
  }),
  oidcIssuer: issuerAddress({
    variable: "CURTAIL_OIDC_ISSUER",
    unset: "unset: passwords only",
    description: "OpenID Connect provider of single sign-on",
  }),
  oidcClientId: nonEmpty({ variable: "CURTAIL_OIDC_CLIENT_ID", unset: "unset", description: "needed with an issuer" }),
  oidcClientSecret: nonEmpty({
    variable: "CURTAIL_OIDC_CLIENT_SECRET",
    unset: "unset",
    description: "needed with an issuer",
  }),
  oidcTrustEmail: emailTrust({
    variable: "CURTAIL_OIDC_TRUST_EMAIL",
    unset: "unset: only emails marked as verified",
    description:
      "`true`: emails of the provider count as verified at the first sign-in; or the name of a claim that says it, such as `xms_edov`",
  }),
  openadrPort: port({
    variable: "CURTAIL_OPENADR_PORT",
    default: 8443,
    description: "OpenADR 2.0a over mutual TLS; 0 takes a free port",
  }),
  openadrHostnames: hostnames({
    variable: "CURTAIL_OPENADR_HOSTNAMES",
    unset: "localhost and the host",
    description: "names and addresses in the certificate for VENs",
  }),
  openadrTrustedProxies: networks({
    variable: "CURTAIL_OPENADR_TRUSTED_PROXIES",
    default: [],
    description: "networks (CIDRs) whose `x-client-cert-fingerprint` header is trusted",
  }),
  openadr3Port: port({
    variable: "CURTAIL_OPENADR3_PORT",
    default: 8090,
    description: "OpenADR 3.1; 0 takes a free port",
  }),
  openadr3PublicUrl: address(["http", "https"], {
    variable: "CURTAIL_OPENADR3_PUBLIC_URL",
    unset: "the public host, its port",
    description: "address of OpenADR 3.1 for clients, without the base path",
  }),
  openadr3TlsCertificate: file({
    variable: "CURTAIL_OPENADR3_TLS_CERT",
    unset: "unset: http, for a proxy",
    description:
      "file of the certificate chain (PEM) if OpenADR 3.1 is served over TLS without a proxy; read again every hour",
  }),
  openadr3TlsKey: file({
    variable: "CURTAIL_OPENADR3_TLS_KEY",
    unset: "unset",
    description: "file of its key (PEM); needed with a certificate",
  }),
  openadr3Mdns: trueOrFalse({
    variable: "CURTAIL_OPENADR3_MDNS",
    default: false,
    description:
      "announces OpenADR 3.1 by mDNS to VENs on the same network (`_openadr3._tcp`), for a service on site ([docs](openadr3.md#discovery-on-site))",
  }),
  openadr3Issuer: issuerAddress({
    variable: "CURTAIL_OPENADR3_ISSUER",
    unset: "unset: our own tokens only",
    description: "OpenID Connect provider whose tokens are accepted, too ([docs](openadr3.md))",
  }),
  openadr3Audience: nonEmpty({
    variable: "CURTAIL_OPENADR3_AUDIENCE",
    unset: "unset",
    description: "audience (`aud`) that its tokens must have; needed with an issuer",
  }),
  openadr3TokenSubject: oneOf(["ignored", "client"], {
    variable: "CURTAIL_OPENADR3_TOKEN_SUBJECT",
    default: "ignored",
    description:
      "what `sub` means in a token of that issuer that has neither `client_id` nor `azp`: nothing, or the name of its `client`",
  }),
  openadr3MaxObjects: wholeNumber(1, 100_000, {
    variable: "CURTAIL_OPENADR3_MAX_RESOURCES",
    default: 1000,
    description: "most resources that an OpenADR 3.1 client may write, and most subscriptions",
  }),
  openadr3MaxBodyMegabytes: wholeNumber(1, 16, {
    variable: "CURTAIL_OPENADR3_MAX_BODY_MB",
    default: 2,
    description:
      "largest body of a request of business logic over OpenADR 3.1, in MB: the hourly prices of a year take 0.5 to 1.5. VENs send 256 kB at most",
  }),
  openadr3MaxReportMegabytes: wholeNumber(1, 100_000, {
    variable: "CURTAIL_OPENADR3_MAX_REPORT_MB",
    default: 10,
    description:
      "reports that are kept of an OpenADR 3.1 client, in MB; beyond it the oldest are dropped and their readings stay",
  }),
  openadr3KeptDays: wholeNumber(1, 36_500, {
    variable: "CURTAIL_OPENADR3_KEPT_DAYS",
    default: 400,
    description: "days for which reports and ended events of OpenADR 3.1 are kept",
  }),
  openadr3Retailer: shortName({
    variable: "CURTAIL_OPENADR3_RETAILER",
    unset: "unset: not shown",
    description: "short name of the company that offers the programs, as OpenADR 3.1 shows it",
  }),
  openadr3Country: countryCode({
    variable: "CURTAIL_OPENADR3_COUNTRY",
    unset: "unset: not shown",
    description: "country of the programs (ISO 3166-1, two letters), or a part of it such as `US-TX` (ISO 3166-2)",
  }),
  openadr3MqttUrl: address(["mqtts", "mqtt"], {
    variable: "CURTAIL_OPENADR3_MQTT_URL",
    unset: "unset: no broker",
    description: "MQTT broker to which changes of OpenADR 3.1 are published ([docs](openadr3-mqtt.md))",
  }),
  openadr3MqttUsername: nonEmpty({
    variable: "CURTAIL_OPENADR3_MQTT_USERNAME",
    unset: "unset: none",
    description: "user of the service at the broker",
  }),
  openadr3MqttPassword: nonEmpty({
    variable: "CURTAIL_OPENADR3_MQTT_PASSWORD",
    unset: "unset: none",
    description: "its password",
  }),
  openadr3MqttCa: file({
    variable: "CURTAIL_OPENADR3_MQTT_CA",
    unset: "unset: those of Node.js",
    description: "file of the authorities (PEM) that verify the broker's certificate",
  }),
  openadr3MqttCertificate: file({
    variable: "CURTAIL_OPENADR3_MQTT_CERT",
    unset: "unset: none",
    description: "file of the service's client certificate (PEM) for the broker",
  }),
  openadr3MqttKey: file({
    variable: "CURTAIL_OPENADR3_MQTT_KEY",
    unset: "unset: none",
    description: "file of its key (PEM); needed with a certificate",
  }),
  openadr3MqttAccess: oneOf(["dynamic-security", "broker"], {
    variable: "CURTAIL_OPENADR3_MQTT_ACCESS",
    default: "dynamic-security",
    description:
      "who gives VENs access to an outside broker: the service by mosquitto's plug-in, or the `broker` itself",
  }),
  openadr3MqttPublicUrls: addresses(["mqtts", "mqtt"], {
    variable: "CURTAIL_OPENADR3_MQTT_PUBLIC_URLS",
    unset: "that of the broker",
    description: "addresses of the broker for VENs, separated by commas",
  }),
  mapTiles: tileTemplate({
    variable: "CURTAIL_MAP_TILES",
    unset: "unset: the outline of countries",
    description:
      "address of raster tiles for the map, such as `https://tiles.example.com/{z}/{x}/{y}.png` ([docs](map.md#a-background-of-your-own))",
  }),
  mapAttribution: shortName({
    variable: "CURTAIL_MAP_ATTRIBUTION",
    unset: "unset: none",
    description: "what the source of the tiles asks to be shown, such as `© OpenStreetMap contributors`",
  }),
  otlpEndpoint: address(["http", "https"], {
    variable: "OTEL_EXPORTER_OTLP_ENDPOINT",
    unset: "unset: nothing is sent",
    description:
      "receiver of traces and metrics by OTLP over HTTP (JSON), such as `http://127.0.0.1:4318` ([docs](tracing.md))",
  }),
  otlpHeaders: headerList({
    variable: "OTEL_EXPORTER_OTLP_HEADERS",
    unset: "unset: none",
    description: "headers for it, such as `authorization=Bearer%20…`, separated by commas",
  }),
  otelServiceName: shortName({
    variable: "OTEL_SERVICE_NAME",
    default: "curtail",
    description: "name of the service in traces and metrics",
  }),
  otelTraces: oneOf(["otlp", "none"], {
    variable: "OTEL_TRACES_EXPORTER",
    default: "otlp",
    description: "`none`: no traces are sent",
  }),
  otelMetrics: oneOf(["otlp", "none"], {
    variable: "OTEL_METRICS_EXPORTER",
    default: "otlp",
    description: "`none`: no metrics are sent",
  }),
  otelTraceShare: share({
    variable: "OTEL_TRACES_SAMPLER_ARG",
    default: "1",
    description: "share of traces that are recorded, from 0 to 1; the sampler is `parentbased_traceidratio`",
  }),
  otelMetricsEveryMs: wholeNumber(1000, 3_600_000, {
    variable: "OTEL_METRIC_EXPORT_INTERVAL",
    default: 60_000,
    description: "how often metrics are sent, in ms",
  }),
  traceSpans: wholeNumber(1, 10_000, {
    variable: "CURTAIL_TRACE_SPANS",
    default: 1000,
    description: "spans of one name that a process records of each change of a dispatch; failures may be as many again",
  }),
  vtnId: nonEmpty({
    variable: "CURTAIL_VTN_ID",
    default: "Curtail-VTN",
    description: "vtnID of the service in OpenADR messages",
  }),
  logLevel: oneOf(["debug", "info", "warn", "error"], {
    variable: "CURTAIL_LOG_LEVEL",
    default: "info",
    description: "`debug`, `info`, `warn` or `error`; JSON lines on standard error",
  }),
});

type Properties = (typeof settings)["properties"];

/** Values of all settings; null where an optional one is not set. */
export type Settings = {
  readonly [Key in keyof Properties]: Properties[Key] extends Type.TOptional
    ? Type.StaticDecode<Properties[Key]> | null
    : Type.StaticDecode<Properties[Key]>;
};
