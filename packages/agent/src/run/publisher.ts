import type { AgentConfig, PublishConfig, SiteConfig } from "../config/config.js";
import { type OverrideCommand, parseOverrideCommand } from "../control/override-command.js";
import type { LastWill, MqttLink } from "../devices/mqtt.js";
import type { SiteStatus } from "../status/status.js";
import { discoveryOf } from "./discovery.js";
import { availabilityTopic, overrideTopic, stateTopic } from "./topics.js";

/** What the broker says of an agent that disappeared. */
export const willOf = ({ publish }: AgentConfig): LastWill | null =>
  publish === null ? null : { topic: availabilityTopic(publish.topic), payload: "offline" };

/** Publishes the state of sites, retained, and takes overrides. */
export class Publisher {
  private readonly sent = new Map<string, string>();

  constructor(
    private readonly config: PublishConfig,
    private readonly link: MqttLink,
  ) {}

  start(sites: readonly SiteConfig[], override: (siteId: string, command: OverrideCommand) => string | null): void {
    const { topic, discovery } = this.config;
    this.link.onConnect(() => {
      // The broker may have forgotten what it kept.
      this.sent.clear();
      this.send(availabilityTopic(topic), "online");
      if (discovery === null) return;
      for (const site of sites)
        for (const [name, text] of discoveryOf({ topic, discovery }, site)) this.send(name, text);
    });
    for (const { id } of sites)
      this.link.subscribe(overrideTopic(topic, id), ({ text, isRetained }) => {
        // A command that was kept is from some time before: nobody gives it now.
        const command = isRetained ? null : parseOverrideCommand(text);
        if (command !== null && !("fault" in command)) override(id, { ...command, who: command.who || "MQTT" });
      });
  }

  /** Sends the states that changed. */
  publish(sites: readonly SiteStatus[]): void {
    for (const { id, phase, cause, commitment_kw, outlook, override, dispatches, outputs } of sites) {
      const values = Object.fromEntries(outputs.map(({ name, written }) => [name, written]));
      const state = {
        phase,
        cause,
        commitment_kw,
        ...outlook,
        override: override?.mode ?? "auto",
        override_until: override?.until ?? null,
        dispatches,
        outputs: values,
      };
      this.send(stateTopic(this.config.topic, id), JSON.stringify(state));
    }
  }

  /** Why nothing can be published now; null: it can. */
  get fault(): string | null {
    const { fault } = this.link;
    return fault === null ? null : `${this.link.name}, topic ${this.config.topic}/…: ${fault}`;
  }

  async stop(): Promise<void> {
    await this.link.publish(availabilityTopic(this.config.topic), "offline", true).catch(() => {});
  }

  private send(topic: string, text: string): void {
    if (this.sent.get(topic) === text) return;
    this.sent.set(topic, text);
    this.link.publish(topic, text, true).catch(() => this.sent.delete(topic));
  }
}
