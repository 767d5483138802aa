import type { AgentConfig, ConnectionConfig } from "./config.js";
import type { ConfigValue } from "./config-value.js";
import { nearest } from "./nearest.js";

/** Notes faults between members: names of connections, ids that are used twice, values that contradict each other. */
export const checkReferences = (
  config: AgentConfig,
  at: Readonly<Record<"connections" | "publish" | "sites", ConfigValue>>,
): void => {
  for (const [connection, protocol] of connectionsUsed(config)) {
    const fault = connectionFault(config.connections, connection, protocol);
    if (fault !== null) at.connections.fault(fault);
  }
  for (const twice of duplicates(config.sites.map(({ id }) => id))) at.sites.fault(`has the site ${twice} twice`);
  for (const twice of duplicates(config.sites.flatMap(({ meters }) => meters.map(({ id }) => id))))
    at.sites.fault(`has the meter ${twice} twice: each meter has one source`);
  for (const site of config.sites) for (const fault of siteFaults(site)) at.sites.fault(fault);
};

const connectionsUsed = ({ sites, publish }: AgentConfig): ReadonlyArray<readonly [string, string]> => [
  ...(publish === null ? [] : [[publish.connection, "mqtt"] as const]),
  ...sites
    .flatMap(({ meters, outputs, override }) => [
      ...meters.map(({ source }) => source),
      ...outputs.map(({ target }) => target),
      ...(override === null ? [] : [override]),
    ])
    .flatMap((used) => ("connection" in used ? [[used.connection, used.protocol] as const] : [])),
];

const connectionFault = (
  connections: ReadonlyMap<string, ConnectionConfig>,
  name: string,
  protocol: string,
): string | null => {
  const found = connections.get(name);
  if (name === "" || found?.protocol === protocol) return null;
  if (found !== undefined) return `${name} is a connection of ${found.protocol}, but is used for ${protocol}`;
  const close = nearest(name, [...connections.keys()]);
  return `has no ${name}, which is used for ${protocol}${close === null ? "" : `; did you mean ${close}?`}`;
};

const siteFaults = ({ id, control, outputs, meters }: AgentConfig["sites"][number]): readonly string[] => [
  ...duplicates(outputs.map(({ name }) => name)).map((name) => `has the output ${name} twice at ${id}`),
  ...outputs
    .filter(({ failsafe }) => control.contact.action === "level" && failsafe === null)
    .map(({ name }) => `needs failsafe in the output ${name} of ${id}: its contact has "action: level"`),
  ...outputs
    .filter(({ curtail }) => curtail === "remaining" && meters.length === 0)
    .map(({ name }) => `needs a meter at ${id}: the output ${name} is "curtail: remaining"`),
  ...(control.maximumOnMs !== null && control.maximumOnMs < control.minimumOnMs
    ? [`has a maximum_on below minimum_on at ${id}`]
    : []),
];

const duplicates = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, index) => name !== "" && names.indexOf(name) !== index)),
];
