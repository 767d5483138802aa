import type { SiteConfig } from "../config/config.js";
import { availabilityTopic, overrideTopic, stateTopic } from "./topics.js";

interface Topics {
  readonly topic: string;
  /** Prefix that Home Assistant listens to. */
  readonly discovery: string;
}

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
      value_template: "{{ value_json.commitment_kw }}",
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
