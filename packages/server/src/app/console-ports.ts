import type { OwnAccountRoutePorts } from "../access/http/console-account.js";
import type { OwnContactRoutePorts } from "../access/http/console-contact.js";
import type { OwnKeyRoutePorts } from "../access/http/console-key.js";
import type { OwnRequestLogRoutePorts } from "../access/http/console-request-log.js";
import type { OwnUserRoutePorts } from "../access/http/console-user.js";
import type { DemoStatePorts } from "../demo/http/console-demo.js";
import type { OwnEvidenceRoutePorts } from "../notification/http/console-evidence.js";
import type { PageReadRoutePorts } from "../notification/http/console-page-read.js";
import type { OwnDeliveryRoutePorts, OwnWebhookRoutePorts } from "../notification/http/console-webhook.js";
import type { OwnOpenadr3ClientPorts } from "../openadr-3/http/console-openadr-3-client.js";
import type { ChangeRoutePorts } from "../oversight/http/change.js";
import type { AccountOverviewPorts } from "../oversight/operations/account-overview.js";
import type { OnboardingPorts } from "../oversight/operations/onboarding.js";
import type { OwnScheduleRoutePorts } from "../portfolio/http/console-schedule.js";
import type { OwnScenarioRoutePorts } from "../sandbox/http/console-scenario.js";
import type { EnergyPorts } from "../telemetry/operations/find-metered.js";
import type { MeterDataPorts } from "../telemetry/operations/import-ports.js";

/** Ports of the console: the operator's operations, within an account. */
export type ConsolePorts = AccountOverviewPorts &
  DemoStatePorts &
  EnergyPorts &
  MeterDataPorts &
  OnboardingPorts &
  OwnAccountRoutePorts &
  ChangeRoutePorts &
  OwnContactRoutePorts &
  OwnDeliveryRoutePorts &
  OwnEvidenceRoutePorts &
  OwnKeyRoutePorts &
  OwnOpenadr3ClientPorts &
  OwnRequestLogRoutePorts &
  OwnScenarioRoutePorts &
  OwnScheduleRoutePorts &
  OwnUserRoutePorts &
  OwnWebhookRoutePorts &
  PageReadRoutePorts;
