import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { readBacnetConnection } from "./bacnet-config.js";
import type { AgentConfig, ConnectionConfig, KeyFile, PublishConfig, ServiceConfig, SiteConfig } from "./config.js";
import { type ConfigFault, ConfigValue } from "./config-value.js";
import { readModbusConnection } from "./modbus-config.js";
import { readMqttConnection, topicOf } from "./mqtt-config.js";
import { readControl, readOutput, readOverrideInput } from "./read-control.js";
import { readMeter } from "./read-meter.js";
import { checkReferences } from "./references.js";
import { type ConfigEdge, isApiKey, readSecret } from "./secret.js";

export type ReadConfig = { readonly config: AgentConfig } | { readonly faults: readonly ConfigFault[] };

/** Reads the configuration from a file, with the files and environment variables that it names. */
export const readConfigFile = (
  path: string,
  edge: Pick<ConfigEdge, "environment" | "isWithoutSecrets">,
): ReadConfig => {
  const folder = dirname(resolve(path));
  const readText = (name: string): string => readFileSync(resolve(folder, name), "utf8");
  return parseConfig(readFileSync(path, "utf8"), { ...edge, readText });
};

/** Reads the configuration from its text; reports every fault, by line. */
export const parseConfig = (text: string, edge: ConfigEdge): ReadConfig => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const faults: ConfigFault[] = document.errors.map(({ message, pos }) => ({
    line: lines.linePos(pos[0]).line,
    path: "",
    message: `is not YAML: ${message}`,
  }));
  if (faults.length > 0) return { faults };
  const config = readRoot(new ConfigValue({ document, lines, faults }, document.contents, "", 1), edge);
  return faults.length > 0 ? { faults: faults.toSorted((a, b) => a.line - b.line) } : { config };
};

/** `FILE:12: sites[0].id is missing: …` */
export const faultLine = (file: string, { line, path, message }: ConfigFault): string =>
  `${file}:${line}: ${path === "" ? "the file" : path} ${message}`;

const readRoot = (root: ConfigValue, edge: ConfigEdge): AgentConfig => {
  const at = root.members(["service", "state", "log", "status", "connections", "publish", "sites"]);
  const connections = at.connections
    .pairs()
    .map(([name, value]) => [name, readConnection(value, edge)] as const)
    .filter((pair): pair is readonly [string, ConnectionConfig] => pair[1] !== null);
  const sites = at.sites.items();
  if (sites.length === 0) at.sites.fault("needs at least one site");
  const config: AgentConfig = {
    service: readService(at.service, edge),
    stateFolder: at.state.absolutePath("the path of a folder that the agent may write to"),
    log: at.log.or("words", (log) => log.choice(["words", "json"])),
    statusPort: readStatus(at.status),
    connections: new Map(connections),
    publish: at.publish.or(null, readPublish),
    sites: sites.map(readSite),
  };
  checkReferences(config, at);
  return config;
};

const readService = (value: ConfigValue, edge: ConfigEdge): ServiceConfig => {
  const at = value.members(["url", "key", "key_file", "key_env", "key_header", "poll"]);
  const url = at.url.text("the address of the service, such as https://curtail.example.com");
  if (url !== "" && !URL.canParse(url)) at.url.fault("must be an address such as https://curtail.example.com");
  else if (/^[^/]*\/\/[^/]*@/.test(url)) at.url.fault("must have no user and password: the service takes a key");
  const key = readSecret(at.key, at.key_file, at.key_env, edge)?.trim() ?? null;
  if (key === null) value.fault("has no key: give one of key_file, key_env and key");
  else if (key !== "" && !isApiKey(key))
    [at.key, at.key_file, at.key_env]
      .find(({ isMissing }) => !isMissing)
      ?.fault("must give one API key and nothing else: a line of at most 1,000 characters, without spaces");
  return {
    url: url.replace(/\/+$/, ""),
    key: key ?? "",
    keyFile: at.key_file.or(null, (file) => keyFileOf(file.text("the path of a file"), edge)),
    keyHeader: at.key_header.or("X-Service-API-Key", (name) => name.text()),
    pollMs: at.poll.or(30_000, (poll) => poll.duration({ min: 1_000, max: 300_000 })),
  };
};

const keyFileOf = (path: string, edge: ConfigEdge): KeyFile => ({ path, read: () => edge.readText(path) });

const DEFAULT_STATUS_PORT = 8180;

const readStatus = (value: ConfigValue): number | null => {
  if (value.isFlag) return value.flag() ? DEFAULT_STATUS_PORT : null;
  const at = value.members(["port"]);
  return at.port.or(DEFAULT_STATUS_PORT, (port) => port.whole({ min: 0, max: 65_535 }));
};

const readConnection = (value: ConfigValue, edge: ConfigEdge): ConnectionConfig | null => {
  const variant = value.variant(["mqtt", "modbus", "bacnet"]);
  if (variant === null) return null;
  const [protocol, given] = variant;
  switch (protocol) {
    case "mqtt":
      return { protocol, ...readMqttConnection(given, edge) };
    case "modbus":
      return { protocol, ...readModbusConnection(given) };
    case "bacnet":
      return { protocol, ...readBacnetConnection(given) };
  }
};

const readPublish = (value: ConfigValue): PublishConfig => {
  const at = value.members(["connection", "topic", "discovery"]);
  return {
    connection: at.connection.text("the name of an MQTT connection"),
    topic: at.topic.or("curtail", topicOf),
    discovery: at.discovery.or(null, topicOf),
  };
};

const readSite = (value: ConfigValue): SiteConfig => {
  const at = value.members(["id", "name", "meters", "control", "outputs", "override"]);
  const id = at.id.text("the id of the site, site_…");
  return {
    id,
    name: at.name.or(id, (name) => name.text()),
    meters: at.meters.items().flatMap((meter) => readMeter(meter) ?? []),
    control: readControl(at.control),
    outputs: at.outputs.items().flatMap((output) => readOutput(output) ?? []),
    override: at.override.or(null, readOverrideInput),
  };
};
