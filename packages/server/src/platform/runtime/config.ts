import { resolve } from "node:path";
import ipaddr from "ipaddr.js";
import type { OidcSettings } from "./oidc-client.js";
import {
  address,
  encryptionKeys,
  headerName,
  hostnames,
  issuerAddress,
  networks,
  nonEmpty,
  oneOf,
  type Parser,
  port,
  secret,
  someOf,
  trueOrFalse,
  wholeNumber,
} from "./setting-parsers.js";

const roles = ["api", "worker", "vtn"] as const;
export type Role = (typeof roles)[number];

/** Every setting of the service, read once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly sandboxPort: number;
  readonly openadrPort: number;
  /** null: operators use the main port. */
  readonly operatorPort: number | null;
  readonly operatorHost: string;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly operatorToken: string | null;
  /** null: metrics are available only from this machine. */
  readonly metricsToken: string | null;
  /**
   * Keys that encrypt secrets in the database: the first encrypts, all decrypt; null: kept in a file of the data
   * directory.
   */
  readonly secretsKeys: readonly Buffer[] | null;
  readonly sandboxPublicKey: string;
  readonly apiKeyHeader: string;
  /** null: derived from the listening address. */
  readonly publicUrl: string | null;
  /** null: the public address with the sandbox's port. */
  readonly sandboxPublicUrl: string | null;
  /** null: the public host with the operators' port. */
  readonly operatorPublicUrl: string | null;
  /** null: derived from the certificate's first name, or else from the public address, with its port. */
  readonly openadrPublicUrl: string | null;
  /** Networks whose x-forwarded-for is trusted. */
  readonly trustedProxies: readonly string[];
  readonly smtpUrl: string | null;
  /** null: no single sign-on. */
  readonly oidc: OidcSettings | null;
  readonly webhookAllowedNetworks: readonly string[];
  readonly webhookAllowHttp: boolean;
  readonly roles: readonly Role[];
  readonly vtnId: string;
  /** null: localhost, its addresses, and the host. */
  readonly openadrHostnames: readonly string[] | null;
  readonly openadrTrustedProxies: readonly string[];
  readonly rateLimitDispatches: number;
  readonly rateLimit: number;
  readonly maxBodyBytes: number;
  readonly maxReadings: number;
  readonly logLevel: "debug" | "info" | "warn" | "error";
}

export type Environment = Readonly<Record<string, string | undefined>>;

const MAX_COUNT = 1_000_000_000;
const DEFAULT_PORT = 8080;
const DEFAULT_API_KEY_HEADER = "X-Service-API-Key";

/**
 * Reads every setting and reports all faults at once. Unknown names that begin with CURTAIL_ are faults too: they are
 * most likely misspelt.
 */
export const readConfig = (environment: Environment = process.env): { config: Config } | { faults: string[] } => {
  const faults: string[] = [];
  const known = new Set<string>();
  const read = settingReader(environment, faults, known);
  const host = read("CURTAIL_HOST", nonEmpty, "127.0.0.1");
  const config: Config = {
    host,
    port: read("CURTAIL_PORT", port, DEFAULT_PORT),
    sandboxPort: read("CURTAIL_SANDBOX_PORT", port, 8081),
    openadrPort: read("CURTAIL_OPENADR_PORT", port, 8443),
    operatorPort: read("CURTAIL_OPERATOR_PORT", port, null),
    operatorHost: read("CURTAIL_OPERATOR_HOST", nonEmpty, host),
    dataDir: resolve(read("CURTAIL_DATA_DIR", nonEmpty, "./data")),
    databaseUrl: read("DATABASE_URL", address("postgres", "postgresql"), null),
    operatorToken: read("CURTAIL_OPERATOR_TOKEN", secret, null),
    metricsToken: read("CURTAIL_METRICS_TOKEN", secret, null),
    secretsKeys: read("CURTAIL_SECRETS_KEY", encryptionKeys, null),
    sandboxPublicKey: read("CURTAIL_SANDBOX_PUBLIC_KEY", nonEmpty, "sandbox-public-key"),
    apiKeyHeader: read("CURTAIL_API_KEY_HEADER", headerName, DEFAULT_API_KEY_HEADER),
    publicUrl: read("CURTAIL_PUBLIC_URL", address("http", "https"), null),
    sandboxPublicUrl: read("CURTAIL_SANDBOX_PUBLIC_URL", address("http", "https"), null),
    operatorPublicUrl: read("CURTAIL_OPERATOR_PUBLIC_URL", address("http", "https"), null),
    openadrPublicUrl: read("CURTAIL_OPENADR_PUBLIC_URL", address("https"), null),
    trustedProxies: read("CURTAIL_TRUSTED_PROXIES", networks, []),
    smtpUrl: read("CURTAIL_SMTP_URL", address("smtp", "smtps"), null),
    oidc: readOidc(read, faults),
    webhookAllowedNetworks: read("CURTAIL_WEBHOOK_ALLOWED_NETWORKS", networks, []),
    webhookAllowHttp: read("CURTAIL_WEBHOOK_ALLOW_HTTP", trueOrFalse, false),
    roles: read("CURTAIL_ROLES", someOf(...roles), roles),
    vtnId: read("CURTAIL_VTN_ID", nonEmpty, "Curtail-VTN"),
    openadrHostnames: read("CURTAIL_OPENADR_HOSTNAMES", hostnames, null),
    openadrTrustedProxies: read("CURTAIL_OPENADR_TRUSTED_PROXIES", networks, []),
    rateLimitDispatches: read("CURTAIL_RATE_LIMIT_DISPATCHES", wholeNumber(1, MAX_COUNT), 300),
    rateLimit: read("CURTAIL_RATE_LIMIT", wholeNumber(1, MAX_COUNT), 1200),
    maxBodyBytes: read("CURTAIL_MAX_BODY_BYTES", wholeNumber(1024, MAX_COUNT), 10_485_760),
    maxReadings: read("CURTAIL_MAX_READINGS", wholeNumber(1, MAX_COUNT), 50_000),
    logLevel: read("CURTAIL_LOG_LEVEL", oneOf("debug", "info", "warn", "error"), "info"),
  };
  faults.push(...unknownNames(environment, known), ...contradictions(config));
  return faults.length === 0 ? { config } : { faults };
};

/** Single sign-on needs all three settings or none. */
const readOidc = (read: ReadSetting, faults: string[]): OidcSettings | null => {
  const faultsBefore = faults.length;
  const issuer = read("CURTAIL_OIDC_ISSUER", issuerAddress, null);
  const clientId = read("CURTAIL_OIDC_CLIENT_ID", nonEmpty, null);
  const clientSecret = read("CURTAIL_OIDC_CLIENT_SECRET", nonEmpty, null);
  if (issuer !== null && clientId !== null && clientSecret !== null) return { issuer, clientId, clientSecret };
  const isAnyGiven = issuer !== null || clientId !== null || clientSecret !== null;
  if (isAnyGiven && faults.length === faultsBefore) {
    faults.push("CURTAIL_OIDC_ISSUER, CURTAIL_OIDC_CLIENT_ID and CURTAIL_OIDC_CLIENT_SECRET must be set together");
  }
  return null;
};

/** Settings that are probably a mistake; the service starts all the same. */
export const doubtsOf = ({ publicUrl, trustedProxies, roles: run }: Config): readonly string[] =>
  run.includes("api") && publicUrl?.startsWith("https:") === true && trustedProxies.length === 0
    ? [
        "CURTAIL_PUBLIC_URL is https and CURTAIL_TRUSTED_PROXIES names no proxy: all clients share the proxy's address, " +
          "so failed sign-ins of one client block all clients. Set it to the network of the proxy.",
      ]
    : [];

/** The settings by which `curtail admin` reaches a service. */
interface AdminSettings {
  readonly publicUrl: string | null;
  readonly port: number;
  readonly operatorPublicUrl: string | null;
  readonly operatorPort: number | null;
  readonly operatorToken: string | null;
  readonly apiKeyHeader: string;
  readonly noColor: boolean;
}

/** Reads what `curtail admin` needs; the other settings, valid or not, belong to `serve`. */
export const readAdminSettings = (
  environment: Environment = process.env,
): { settings: AdminSettings } | { faults: string[] } => {
  const faults: string[] = [];
  const read = settingReader(environment, faults);
  const settings: AdminSettings = {
    publicUrl: read("CURTAIL_PUBLIC_URL", address("http", "https"), null),
    port: read("CURTAIL_PORT", port, DEFAULT_PORT),
    operatorPublicUrl: read("CURTAIL_OPERATOR_PUBLIC_URL", address("http", "https"), null),
    operatorPort: read("CURTAIL_OPERATOR_PORT", port, null),
    operatorToken: read("CURTAIL_OPERATOR_TOKEN", secret, null),
    apiKeyHeader: read("CURTAIL_API_KEY_HEADER", headerName, DEFAULT_API_KEY_HEADER),
    // https://no-color.org: any value but an empty one counts.
    noColor: (environment["NO_COLOR"] ?? "") !== "",
  };
  return faults.length === 0 ? { settings } : { faults };
};

type ReadSetting = <T, D>(name: string, parse: Parser<T>, otherwise: D) => T | D;

const settingReader =
  (environment: Environment, faults: string[], known = new Set<string>()): ReadSetting =>
  <T, D>(name: string, parse: Parser<T>, otherwise: D): T | D => {
    known.add(name);
    const text = environment[name];
    if (text === undefined) return otherwise;
    const result = parse(text);
    if ("value" in result) return result.value;
    // Never repeat the value of a secret.
    faults.push(`${name} ${result.fault}`);
    return otherwise;
  };

const unknownNames = (environment: Environment, known: ReadonlySet<string>): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith("CURTAIL_") && !known.has(name))
    .map((name) => `${name} is not a known setting; see docs/configuration.md`);

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
  faults.push(...operatorFaults(config));
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
  if (operatorPort !== 0 && [config.port, config.sandboxPort, config.openadrPort].includes(operatorPort))
    faults.push("CURTAIL_OPERATOR_PORT must differ from the ports of the other listeners");
  if (operatorPublicUrl === null && publicUrl === null && !isOneAddress(operatorHost))
    faults.push(
      `CURTAIL_OPERATOR_PUBLIC_URL must be set, because CURTAIL_OPERATOR_HOST (${operatorHost}) is not an address that others can use`,
    );
  return faults;
};

/** A name, or an address other than the wildcard. */
const isOneAddress = (host: string): boolean => !ipaddr.isValid(host) || ipaddr.parse(host).range() !== "unspecified";
