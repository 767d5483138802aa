import type { Environment } from "../../domain/api-key.js";
import type { Report } from "../../domain/report.js";
import type { Scenario } from "../../domain/scenario.js";
import type { AccessStores } from "../../operations/access-stores.js";
import type { AlarmStores } from "../../operations/alarm-ports.js";
import type { Within } from "../../operations/answer-once.js";
import type { SiteHealthReader } from "../../operations/check-telemetry.js";
import type { DispatchStores } from "../../operations/dispatch-stores.js";
import type { EnvironmentStores } from "../../operations/environment-stores.js";
import type { EnergyReader } from "../../operations/find-metered.js";
import type { DispatchView } from "../../operations/list-dispatches.js";
import type { LivePerformance } from "../../operations/live-performance.js";
import type { KeyPorts } from "../../operations/manage-keys.js";
import type { VenPorts } from "../../operations/manage-vens.js";
import type { WebhookPorts } from "../../operations/manage-webhooks.js";
import type { NotificationStores } from "../../operations/notification-stores.js";
import type { OnboardingReader } from "../../operations/onboarding.js";
import type { OpenadrStores } from "../../operations/openadr-stores.js";
import type { OverviewReader } from "../../operations/operator-overview.js";
import type { ParticipantService } from "../../operations/participant-service.js";
import type { PerformanceStores } from "../../operations/performance-stores.js";
import type { PortfolioStores } from "../../operations/portfolio-stores.js";
import type { Ports } from "../../operations/ports.js";
import type { ReachReader } from "../../operations/preview-dispatch.js";
import type { LastReading } from "../../operations/read-telemetry.js";
import type { ScenarioStore } from "../../operations/scenario-service.js";
import type { UserPorts } from "../../operations/sign-in-ports.js";
import type { PreviewVen } from "../../operations/ven-channel.js";
import type { PerformanceView } from "../../operations/view-performance.js";
import type { LiveChanges } from "../../operations/watch-changes.js";
import type { OncePorts } from "../serve-once.js";

/** Every store that a route may need. */
export type RoutedStores = AccessStores &
  AlarmStores &
  DispatchStores &
  NotificationStores &
  OpenadrStores &
  PerformanceStores &
  PortfolioStores;

/** What operations on webhooks and deliveries of one environment work with. */
export type EnvironmentPorts = Ports<EnvironmentStores> &
  OncePorts<Within<EnvironmentStores>> &
  Pick<WebhookPorts, "newSecret" | "probe">;

/** What operators, and people of an account, see and do of the sandbox. */
export interface SandboxView {
  readonly ports: EnvironmentPorts;
  /** As an account's own key has it. */
  readonly participant: Pick<ParticipantService, "listWebhooks" | "registerWebhook" | "deleteWebhook">;
  readonly scenarios: Pick<ScenarioStore, "find" | "list">;
  reportOf(scenario: Scenario): Promise<Report>;
}

/** What the operator API works with. */
export type OperatorPorts = EnvironmentPorts &
  Ports<RoutedStores> &
  OncePorts<Within<RoutedStores>> &
  KeyPorts &
  UserPorts &
  VenPorts & {
    /** Address under which people reach the service, without a slash at its end. */
    readonly publicUrl: string;
    /** The same for operators; another where they have a port of their own. */
    readonly operatorUrl: string;
    /** What we call ourselves in OpenADR messages. */
    readonly vtnId: string;
    readonly previewVen: PreviewVen;
    readonly performance: PerformanceView;
    readonly live: LivePerformance;
    readonly changes: LiveChanges;
    readonly dispatches: DispatchView;
    readonly overview: OverviewReader;
    readonly reach: ReachReader;
    readonly onboarding: OnboardingReader;
    readonly siteHealth: SiteHealthReader;
    readonly telemetry: EnergyReader;
    lastReadings(meterIds: readonly string[]): Promise<ReadonlyMap<string, LastReading>>;
    /** Makes this process ask anew for every key. */
    forgetKeys(): void;
    readonly sandbox: SandboxView;
  };

/** The ports of the environment that was asked for; production's unless it was. */
export const portsOf = (
  ports: EnvironmentPorts & { readonly sandbox: Pick<SandboxView, "ports"> },
  { environment }: { readonly environment?: Environment },
): EnvironmentPorts => (environment === "sandbox" ? ports.sandbox.ports : ports);
