import ipaddr from "ipaddr.js";
import { isLikeAlarms } from "../accent.js";
import type { EmailTrust } from "../email-trust.js";
import type { OidcSettings } from "./oidc-client.js";
import { readSettings, settingKeys, type Variables, variableOf, variables } from "./read-settings.js";
import { OFF } from "./setting-types.js";
import { roles, type Settings } from "./settings.js";
import type { IssuerSettings } from "./token-issuer.js";

export type { Variables } from "./read-settings.js";

/** For what names its variables itself. */
export const processEnvironment = (): Variables => process.env;

/** What describes an outside broker. */
const brokerKeys = [
  "openadr3MqttUsername",
  "openadr3MqttPassword",
  "openadr3MqttCa",
  "openadr3MqttCertificate",
  "openadr3MqttKey",
  "openadr3MqttPublicUrls",
] as const satisfies ReadonlyArray<keyof Settings>;

/** Every setting of the service, read once. */
export interface Config extends Omit<Settings, "openadr3Issuer"> {
  readonly operatorHost: string;
  readonly metricsHost: string;
  /** null: no single sign-on. */
  readonly oidc: (OidcSettings & { readonly emailTrust: EmailTrust }) | null;
  /** The outside issuer of tokens for OpenADR 3; null: there are only our own. */
  readonly openadr3Issuer: IssuerSettings | null;
  /** Files (PEM); null: OpenADR 3 is served over http. */
  readonly openadr3Tls: { readonly certificate: string; readonly key: string } | null;
}

/** Where the service listens. */
const portKeys = [
  "port",
  "sandboxPort",
  "operatorPort",
  "openadrPort",
  "openadr3Port",
  "metricsPort",
] as const satisfies ReadonlyArray<keyof Settings>;

/** The variables of the settings that name a port. */
export const variablesOfPort = (config: Config, port: number): readonly string[] =>
  portKeys.filter((key) => config[key] === port).map(variableOf);

/**
 * Reads every setting and reports all faults at once. Unknown names that begin with CURTAIL_ are faults too: they are
 * most likely misspelt.
 */
export const readConfig = (environment: Variables = process.env): { config: Config } | { faults: string[] } => {
  const { values, faults } = readSettings(environment, settingKeys);
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = values;
  const { openadr3Issuer, openadr3Audience: audience, openadr3TokenSubject: subject } = values;
  const { openadr3TlsCertificate: certificate, openadr3TlsKey: key } = values;
  const oidc =
    issuer !== null && clientId !== null && clientSecret !== null
      ? { issuer, clientId, clientSecret, emailTrust: values.oidcTrustEmail ?? "verified" }
      : null;
  const config: Config = {
    ...values,
    operatorHost: values.operatorHost ?? values.host,
    metricsHost: values.metricsHost ?? values.host,
    oidc,
    openadr3Issuer:
      openadr3Issuer !== null && audience !== null
        ? { issuer: openadr3Issuer, audience, trustsSubject: subject === "client" }
        : null,
    openadr3Tls: certificate !== null && key !== null ? { certificate, key } : null,
  };
  faults.push(
    ...oidcFaults(values, faults),
    ...trustFaults(values),
    ...openadr3Faults(values, faults),
    ...unknownNames(environment),
    ...contradictions(config),
  );
  return faults.length === 0 ? { config } : { faults };
};

/** Single sign-on needs all three settings or none. */
const oidcFaults = ({ oidcIssuer, oidcClientId, oidcClientSecret }: Settings, faults: readonly string[]): string[] => {
  const given = [oidcIssuer, oidcClientId, oidcClientSecret].filter((each) => each !== null);
  const isPartial = given.length === 1 || given.length === 2;
  // One with a fault of its own was given, too.
  return isPartial && !faults.some((fault) => fault.startsWith("CURTAIL_OIDC_"))
    ? ["CURTAIL_OIDC_ISSUER, CURTAIL_OIDC_CLIENT_ID and CURTAIL_OIDC_CLIENT_SECRET must be set together"]
    : [];
};

/** Entra ID's issuers for users of every tenant, who may write any email into their own tenant. */
const ALL_TENANTS = /\/(common|organizations|consumers)(\/|$)/;

const trustFaults = ({ oidcIssuer, oidcTrustEmail }: Settings): string[] => {
  if (oidcTrustEmail === null) return [];
  if (oidcIssuer === null) return ["CURTAIL_OIDC_ISSUER must be set if CURTAIL_OIDC_TRUST_EMAIL is set"];
  return oidcTrustEmail === "all" && ALL_TENANTS.test(new URL(oidcIssuer).pathname)
    ? [
        "CURTAIL_OIDC_TRUST_EMAIL must not be true with an issuer of all tenants, where anybody can set any email: " +
          "set CURTAIL_OIDC_ISSUER to that of your tenant, or name a claim such as xms_edov",
      ]
    : [];
};

/** Settings of which each needs the other. */
const together = (values: Settings, one: keyof Settings, other: keyof Settings): string[] =>
  (values[one] === null) === (values[other] === null)
    ? []
    : [`${variableOf(one)} and ${variableOf(other)} must be set together`];

/** An issuer needs an audience, and a certificate its key. */
const openadr3Faults = (values: Settings, faults: readonly string[]): string[] => {
  if (faults.some((fault) => fault.startsWith("CURTAIL_OPENADR3_"))) return [];
  return [
    ...together(values, "openadr3Issuer", "openadr3Audience"),
    ...together(values, "openadr3TlsCertificate", "openadr3TlsKey"),
    ...brokerFaults(values),
  ];
};

/** There is one broker, or none; what describes it needs it. */
const brokerFaults = (values: Settings): string[] => {
  const { openadr3MqttUrl: url } = values;
  const stray = brokerKeys.filter((key) => values[key] !== null);
  return [
    ...(url === null ? stray.map((key) => `CURTAIL_OPENADR3_MQTT_URL must be set if ${variableOf(key)} is set`) : []),
    ...together(values, "openadr3MqttCertificate", "openadr3MqttKey"),
    ...(url !== null && values.openadr3MqttAccess === "dynamic-security" && values.openadr3MqttUsername === null
      ? ["CURTAIL_OPENADR3_MQTT_USERNAME must be set if CURTAIL_OPENADR3_MQTT_ACCESS is dynamic-security"]
      : []),
  ];
};

/** Settings that are probably a mistake; the service starts all the same. */
export const warningsOf = (config: Config): readonly string[] => [...proxyDoubts(config), ...colourDoubts(config)];

const colourDoubts = ({ brandColour }: Config): readonly string[] =>
  brandColour !== null && isLikeAlarms(brandColour.given)
    ? [
        "CURTAIL_BRAND_COLOUR is close to the red and amber of alarms: buttons and links could be taken for one. Choose another " +
          "hue, or leave it unset.",
      ]
    : [];

const proxyDoubts = ({ publicUrl, trustedProxies, roles: run }: Config): readonly string[] =>
  run.includes("api") && publicUrl?.startsWith("https:") === true && trustedProxies.length === 0
    ? [
        "CURTAIL_PUBLIC_URL is https and CURTAIL_TRUSTED_PROXIES names no proxy: all clients share the proxy's address, " +
          "so failed sign-ins of one client block all clients. Set it to the network of the proxy.",
      ]
    : [];

const adminKeys = [
  "publicUrl",
  "port",
  "operatorPublicUrl",
  "operatorPort",
  "operatorToken",
  "apiKeyHeader",
] as const satisfies ReadonlyArray<keyof Settings>;

/** The settings by which `curtail admin` reaches a service. */
interface AdminSettings extends Pick<Settings, (typeof adminKeys)[number]> {
  readonly noColor: boolean;
}

/** Reads what `curtail admin` needs; the other settings, valid or not, belong to `serve`. */
export const readAdminSettings = (
  environment: Variables = process.env,
): { settings: AdminSettings } | { faults: string[] } => {
  const { values, faults } = readSettings(environment, adminKeys);
  // https://no-color.org: any value but an empty one counts.
  const noColor = (environment["NO_COLOR"] ?? "") !== "";
  return faults.length === 0 ? { settings: { ...values, noColor } } : { faults };
};

/** What to do about settings that there were. */
const removed: Readonly<Record<string, string>> = {
  CURTAIL_OPENADR3_MQTT_PORT:
    "is no setting any more: Curtail has no MQTT broker of its own; set CURTAIL_OPENADR3_MQTT_URL to that of mosquitto, see docs/openadr3-mqtt.md",
};

const unknownNames = (environment: Variables): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith("CURTAIL_") && !variables.has(name))
    .map((name) => `${name} ${removed[name] ?? "is not a known setting; see docs/configuration.md"}`);

const contradictions = (config: Config): string[] => {
  const faults: string[] = [];
  if (config.publicUrl === null && !isOneAddress(config.host)) {
    faults.push(
      `CURTAIL_PUBLIC_URL must be set, because CURTAIL_HOST (${config.host}) is not an address that others can use`,
    );
  }
  if (config.port !== 0 && config.port === config.sandboxPort) {
    faults.push("CURTAIL_SANDBOX_PORT must differ from CURTAIL_PORT: the sandbox has its own address");
  }
  faults.push(...operatorFaults(config), ...metricsFaults(config));
  if (config.mapAttribution !== null && config.mapTiles === null)
    faults.push("CURTAIL_MAP_TILES must be set if CURTAIL_MAP_ATTRIBUTION is set: it names the source of the tiles");
  if (config.backupDirectory !== null && config.backupDirectory !== OFF && config.backupRecipients === null) {
    faults.push(
      "CURTAIL_BACKUP_RECIPIENTS must be set if CURTAIL_BACKUP_DIRECTORY is set: backups have the keys of the service, and " +
        "are encrypted. `curtail backup keygen FILE` makes a key",
    );
  }
  if (config.backupDatabaseUrl !== null && config.databaseUrl === null)
    faults.push("DATABASE_URL must be set if CURTAIL_BACKUP_DATABASE_URL is set: the included database has no standby");
  if (config.roles.length < roles.length && config.databaseUrl === null) {
    faults.push("DATABASE_URL must be set if CURTAIL_ROLES does not name all roles: the processes share one database");
  }
  return faults;
};

/** The operators' settings need a port, which must differ from the others. */
const operatorFaults = (config: Config): string[] => {
  const { operatorPort, operatorHost, host, operatorPublicUrl, publicUrl } = config;
  if (operatorPort === null) {
    const isMeant = operatorPublicUrl !== null || operatorHost !== host;
    return isMeant
      ? ["CURTAIL_OPERATOR_PORT must be set if CURTAIL_OPERATOR_HOST or CURTAIL_OPERATOR_PUBLIC_URL is set"]
      : [];
  }
  const faults: string[] = [];
  if (isPortOfOther("operatorPort", config))
    faults.push("CURTAIL_OPERATOR_PORT must differ from the ports of the other listeners");
  if (operatorPublicUrl === null && publicUrl === null && !isOneAddress(operatorHost))
    faults.push(
      `CURTAIL_OPERATOR_PUBLIC_URL must be set, because CURTAIL_OPERATOR_HOST (${operatorHost}) is not an address that others can use`,
    );
  return faults;
};

const metricsFaults = (config: Config): string[] => {
  if (config.metricsPort === null)
    return config.metricsHost === config.host
      ? []
      : ["CURTAIL_METRICS_PORT must be set if CURTAIL_METRICS_HOST is set"];
  return isPortOfOther("metricsPort", config)
    ? ["CURTAIL_METRICS_PORT must differ from the ports of the other listeners"]
    : [];
};

/** Port 0 is never that of another one. */
const isPortOfOther = (own: (typeof portKeys)[number], config: Config): boolean =>
  config[own] !== 0 && portKeys.some((key) => key !== own && config[key] === config[own]);

/** A name, or an address other than the wildcard. */
const isOneAddress = (host: string): boolean => !ipaddr.isValid(host) || ipaddr.parse(host).range() !== "unspecified";
