import type { SiteConfig } from "../config/config.js";
import { availabilityTopic, overrideTopic, stateTopic } from "./topics.js";

interface Topics {
  readonly topic: string;
  /** Prefix that Home Assistant listens to. */
  readonly discovery: string;
}

const times = [
  ["next_start", "Next start"],
  ["next_end", "Next end"],
] as const;

/** Home Assistant takes `None` for unknown. */
const valueOrUnknown = (name: string): string => `{{ 'None' if value_json.${name} is none else value_json.${name} }}`;

/** Topic and configuration of each entity of a site (Home Assistant, "MQTT Discovery"). */
export const discoveryOf = (
  { topic, discovery }: Topics,
  site: SiteConfig,
): ReadonlyArray<readonly [string, string]> => {
  const node = site.id.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
  const shared = {
    availability_topic: availabilityTopic(topic),
    state_topic: stateTopic(topic, site.id),
    device: { identifiers: [`curtail_${node}`], name: site.name, manufacturer: "Curtail" },
    origin: { name: "Curtail agent" },
  };
  const entity = (component: string, name: string, settings: Readonly<Record<string, unknown>>) => {
    const id = `curtail_${node}_${name}`;
    return [
      `${discovery}/${component}/${id}/config`,
      JSON.stringify({ ...shared, unique_id: id, ...settings }),
    ] as const;
  };
  return [
    entity("binary_sensor", "curtailing", {
      name: "Curtailing",
      value_template: "{{ 'ON' if value_json.phase == 'curtailing' else 'OFF' }}",
    }),
    entity("sensor", "commitment", {
      name: "Commitment",
      unit_of_measurement: "kW",
      device_class: "power",
      value_template: valueOrUnknown("commitment_kw"),
    }),
    entity("binary_sensor", "announced", {
      name: "Announced",
      value_template: "{{ 'ON' if value_json.announced else 'OFF' }}",
    }),
    ...times.map(([name, words]) =>
      entity("sensor", name, {
        name: words,
        device_class: "timestamp",
        value_template: valueOrUnknown(name),
      }),
    ),
    entity("sensor", "asked_kw", {
      name: "Power asked",
      unit_of_measurement: "kW",
      device_class: "power",
      value_template: valueOrUnknown("asked_kw"),
    }),
    entity("sensor", "cause", { name: "Cause", value_template: "{{ value_json.cause }}" }),
    entity("select", "override", {
      name: "Override",
      options: ["auto", "normal", "curtail"],
      value_template: "{{ value_json.override }}",
      command_topic: overrideTopic(topic, site.id),
    }),
  ];
};
