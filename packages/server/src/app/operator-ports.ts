import type { AccountRoutePorts, ContactRoutePorts } from "../access/http/operator-account.js";
import type { AuditRoutePorts } from "../access/http/operator-audit.js";
import type { KeyRoutePorts } from "../access/http/operator-key.js";
import type { RequestLogRoutePorts } from "../access/http/operator-request-log.js";
import type { UserRoutePorts } from "../access/http/operator-user.js";
import type { DeliveryHoldRoutePorts } from "../backup/http/operator-delivery-hold.js";
import type { DemoRoutePorts } from "../demo/http/operator-demo.js";
import type { DispatchRoutePorts } from "../dispatch/http/operator-dispatch.js";
import type { DeliveryRoutePorts } from "../notification/http/operator-delivery.js";
import type { EvidenceRoutePorts } from "../notification/http/operator-evidence.js";
import type { PhoneCallRoutePorts } from "../notification/http/operator-phone-call.js";
import type { WebhookRoutePorts } from "../notification/http/operator-webhook.js";
import type { PhoneRoutePorts } from "../notification/http/phone.js";
import type { PreviewPorts } from "../notification/operations/preview-dispatch.js";
import type { VenCertificateRoutePorts, VenRoutePorts } from "../openadr/http/operator-ven.js";
import type { Openadr3ClientRoutePorts } from "../openadr-3/http/operator-openadr-3-client.js";
import type { OwnEventRoutePorts } from "../openadr-3/http/operator-openadr-3-event.js";
import type { AlarmRoutePorts } from "../oversight/http/operator-alarm.js";
import type { ChangeRoutePorts } from "../oversight/http/change.js";
import type { FollowerRoutePorts } from "../oversight/http/operator-follower.js";
import type { ImportRoutePorts } from "../oversight/http/operator-import.js";
import type { PortfolioLoadRoutePorts } from "../oversight/http/operator-load.js";
import type { OnboardingRoutePorts } from "../oversight/http/onboarding.js";
import type { TimelineRoutePorts } from "../oversight/http/operator-timeline.js";
import type { AttentionPorts } from "../oversight/operations/dispatch-attention.js";
import type { FirstStepsPorts } from "../oversight/operations/first-steps.js";
import type { OperatorOverviewPorts } from "../oversight/operations/operator-overview.js";
import type { SearchPorts } from "../oversight/operations/search.js";
import type { AccuracyRoutePorts } from "../performance/http/operator-accuracy.js";
import type { DispatchResultRoutePorts } from "../performance/http/operator-dispatch-result.js";
import type { ExcludedDayRoutePorts } from "../performance/http/operator-excluded-day.js";
import type { PerformanceRoutePorts } from "../performance/http/operator-performance.js";
import type { PerformanceStreamRoutePorts } from "../performance/http/operator-performance-stream.js";
import type { ReportRoutePorts } from "../performance/http/operator-report.js";
import type { ProgramRoutePorts } from "../portfolio/http/operator-program.js";
import type { ScheduleRoutePorts } from "../portfolio/http/operator-schedule.js";
import type { SiteRoutePorts } from "../portfolio/http/operator-site.js";
import type { ScenarioRoutePorts } from "../sandbox/http/operator-scenario.js";
import type { RulesRoutePorts } from "../settlement/http/operator-rules.js";
import type { StatementRoutePorts } from "../settlement/http/operator-statement.js";
import type { TermsRoutePorts } from "../settlement/http/operator-terms.js";
import type { TelemetryHealthRoutePorts } from "../telemetry/http/operator-telemetry-health.js";
import type { MappingProfileRoutePorts } from "../telemetry/http/participant-mapping-profile.js";
import type { EnergyPorts } from "../telemetry/operations/find-metered.js";
import type { MeterDataPorts } from "../telemetry/operations/import-ports.js";

/** Ports of the operator API. */
export type OperatorPorts = AccountRoutePorts &
  AccuracyRoutePorts &
  AlarmRoutePorts &
  AttentionPorts &
  AuditRoutePorts &
  ChangeRoutePorts &
  ContactRoutePorts &
  DeliveryHoldRoutePorts &
  DeliveryRoutePorts &
  DemoRoutePorts &
  DispatchResultRoutePorts &
  DispatchRoutePorts &
  EnergyPorts &
  EvidenceRoutePorts &
  ExcludedDayRoutePorts &
  FirstStepsPorts &
  FollowerRoutePorts &
  ImportRoutePorts &
  KeyRoutePorts &
  MappingProfileRoutePorts &
  MeterDataPorts &
  OnboardingRoutePorts &
  Openadr3ClientRoutePorts &
  OperatorOverviewPorts &
  OwnEventRoutePorts &
  PhoneRoutePorts &
  PhoneCallRoutePorts &
  PortfolioLoadRoutePorts &
  PreviewPorts &
  PerformanceRoutePorts &
  PerformanceStreamRoutePorts &
  ProgramRoutePorts &
  ReportRoutePorts &
  RequestLogRoutePorts &
  RulesRoutePorts &
  ScenarioRoutePorts &
  ScheduleRoutePorts &
  SearchPorts &
  SiteRoutePorts &
  StatementRoutePorts &
  TelemetryHealthRoutePorts &
  TermsRoutePorts &
  TimelineRoutePorts &
  UserRoutePorts &
  VenCertificateRoutePorts &
  VenRoutePorts &
  WebhookRoutePorts;
