import type { EnergyPorts } from "../../operations/find-metered.js";
import type { OperatorOverviewPorts } from "../../operations/operator-overview.js";
import type { PreviewPorts } from "../../operations/preview-dispatch.js";
import type { AccountRoutePorts, ContactRoutePorts } from "./account.js";
import type { AlarmRoutePorts } from "./alarm.js";
import type { AuditRoutePorts } from "./audit.js";
import type { ChangeRoutePorts } from "./change.js";
import type { DeliveryRoutePorts } from "./delivery.js";
import type { DispatchRoutePorts } from "./dispatch.js";
import type { EvidenceRoutePorts } from "./evidence.js";
import type { ImportRoutePorts } from "./import.js";
import type { KeyRoutePorts } from "./key.js";
import type { OnboardingRoutePorts } from "./onboarding.js";
import type { PerformanceRoutePorts } from "./performance.js";
import type { PerformanceStreamRoutePorts } from "./performance-stream.js";
import type { ProgramRoutePorts } from "./program.js";
import type { RequestLogRoutePorts } from "./request-log.js";
import type { ScenarioRoutePorts } from "./scenario.js";
import type { ScheduleRoutePorts } from "./schedule.js";
import type { SiteRoutePorts } from "./site.js";
import type { TelemetryHealthRoutePorts } from "./telemetry-health.js";
import type { UserRoutePorts } from "./user.js";
import type { VenCertificateRoutePorts, VenRoutePorts } from "./ven.js";
import type { WebhookRoutePorts } from "./webhook.js";

/** What the operator API works with. */
export type OperatorPorts = AccountRoutePorts &
  AlarmRoutePorts &
  AuditRoutePorts &
  ChangeRoutePorts &
  ContactRoutePorts &
  DeliveryRoutePorts &
  DispatchRoutePorts &
  EnergyPorts &
  EvidenceRoutePorts &
  ImportRoutePorts &
  KeyRoutePorts &
  OnboardingRoutePorts &
  OperatorOverviewPorts &
  PreviewPorts &
  PerformanceRoutePorts &
  PerformanceStreamRoutePorts &
  ProgramRoutePorts &
  RequestLogRoutePorts &
  ScenarioRoutePorts &
  ScheduleRoutePorts &
  SiteRoutePorts &
  TelemetryHealthRoutePorts &
  UserRoutePorts &
  VenCertificateRoutePorts &
  VenRoutePorts &
  WebhookRoutePorts;
