import type { Check } from "@curtail/cli";
import type { Config } from "../../../platform/runtime/config.js";

/** Passwords of addresses, and settings that are secrets. A message of another program may repeat one. */
export const secretsOf = (config: Config): readonly string[] => {
  const { operatorToken, metricsToken, gatewayToken, openadr3MqttPassword, oidc, secretsKeys, otlpHeaders } = config;
  const { databaseUrl, databaseListenUrl, backupDatabaseUrl, smtpUrl, smsUrl, voiceUrl, openadr3MqttUrl } = config;
  const addresses = [databaseUrl, databaseListenUrl, backupDatabaseUrl, smtpUrl, smsUrl, voiceUrl, openadr3MqttUrl];
  return [
    operatorToken,
    metricsToken,
    gatewayToken,
    openadr3MqttPassword,
    oidc?.clientSecret ?? null,
    ...Object.values(otlpHeaders ?? {}),
    ...(secretsKeys ?? []).map((key) => key.toString("base64")),
    ...addresses.flatMap(passwordsIn),
  ]
    .filter((secret) => secret !== null && secret !== "")
    .sort((one, other) => (other?.length ?? 0) - (one?.length ?? 0)) as string[];
};

/** As written, and as meant. */
const passwordsIn = (address: string | null): readonly string[] => {
  if (address === null || !URL.canParse(address)) return [];
  const { password, searchParams } = new URL(address);
  const inQuery = [...searchParams].flatMap(([name, value]) => (/pass(?:word)?$/i.test(name) ? [value] : []));
  return [password, decoded(password), ...inQuery];
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const HIDDEN = "…";

/** The check without any of the secrets. */
export const hidden = (check: Check, secrets: readonly string[]): Check => {
  const without = (text: string): string => secrets.reduce((kept, secret) => kept.replaceAll(secret, HIDDEN), text);
  return { ...check, detail: without(check.detail), advice: check.advice === null ? null : without(check.advice) };
};
