export interface SidebarGroup {
  readonly title: string;
  /** Files of the repository, in the reader's order. */
  readonly files: readonly string[];
}

/** The published pages. A new file in `docs/` needs a line here: a test says which one is missing. */
export const sidebar: readonly SidebarGroup[] = [
  { title: "Start", files: ["docs/index.md", "docs/start.md", "docs/tutorial.md"] },
  {
    title: "Guides",
    files: ["docs/operator-guide.md", "docs/participant-guide.md", "docs/notifications.md", "docs/map.md"],
  },
  {
    title: "Integration",
    files: [
      "docs/integration.md",
      "docs/cli.md",
      "docs/agent.md",
      "docs/webhooks.md",
      "docs/requests.md",
      "docs/earlier-versions.md",
      "docs/sdk.md",
      "examples/README.md",
      "docs/sandbox.md",
      "docs/openadr.md",
      "docs/openadr3.md",
      "docs/openadr3-mqtt.md",
    ],
  },
  {
    title: "Recipes",
    files: [
      "docs/recipes/home-assistant.md",
      "docs/recipes/node-red.md",
      "docs/recipes/telegraf.md",
      "docs/recipes/niagara.md",
    ],
  },
  {
    title: "Results",
    files: ["docs/measurement.md", "docs/recompute.md", "docs/reports.md", "docs/statements.md"],
  },
  {
    title: "Reference",
    files: [
      "docs/admin.md",
      "docs/configuration.md",
      "docs/meter-data.md",
      "docs/calendar.md",
      "docs/languages.md",
      "docs/languages/de.md",
      "docs/languages/es.md",
      "docs/languages/fr.md",
      "docs/gateway.md",
      "docs/chat.md",
      "docs/bad-input.md",
      "docs/spec-gaps.md",
      "docs/glossary.md",
    ],
  },
  {
    title: "Operating",
    files: [
      "docs/operating.md",
      "docs/scaling.md",
      "docs/failover.md",
      "docs/point-in-time.md",
      "docs/monitoring.md",
      "docs/tracing.md",
      "docs/runbook.md",
      "docs/logs.md",
      "docs/branding.md",
      "docs/performance.md",
      "docs/licences.md",
    ],
  },
  {
    title: "Development",
    files: [
      "docs/architecture.md",
      "CONTRIBUTING.md",
      "docs/adding.md",
      "SECURITY.md",
      "packages/measure/README.md",
      "packages/meter-data/README.md",
      "packages/openadr/README.md",
      "packages/openadr-3/README.md",
      "packages/client/README.md",
      "packages/cli/README.md",
      "packages/spool/README.md",
      "packages/node-red/README.md",
      "packages/embedded-postgres/README.md",
    ],
  },
];

/** Their index lists them; the site adds them after the groups. */
export const DECISIONS = "docs/decisions";

/** Notes of the people who work on the project. */
export const unpublished: readonly string[] = ["docs/handover.md"];
