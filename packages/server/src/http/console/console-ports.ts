import type { AccountOverviewPorts } from "../../operations/account-overview.js";
import type { EnergyPorts } from "../../operations/find-metered.js";
import type { OnboardingPorts } from "../../operations/onboarding.js";
import type { OwnAccountRoutePorts } from "./account.js";
import type { OwnChangeRoutePorts } from "./change.js";
import type { OwnContactRoutePorts } from "./contact.js";
import type { OwnDispatchRoutePorts } from "./dispatch.js";
import type { OwnEvidenceRoutePorts } from "./evidence.js";
import type { OwnKeyRoutePorts } from "./key.js";
import type { OwnRequestLogRoutePorts } from "./request-log.js";
import type { OwnScheduleRoutePorts } from "./schedule.js";
import type { OwnUserRoutePorts } from "./user.js";
import type { OwnDeliveryRoutePorts, OwnWebhookRoutePorts } from "./webhook.js";

/** What the console works with: the operator's operations, within an account. */
export type ConsolePorts = AccountOverviewPorts &
  EnergyPorts &
  OnboardingPorts &
  OwnAccountRoutePorts &
  OwnChangeRoutePorts &
  OwnContactRoutePorts &
  OwnDeliveryRoutePorts &
  OwnDispatchRoutePorts &
  OwnEvidenceRoutePorts &
  OwnKeyRoutePorts &
  OwnRequestLogRoutePorts &
  OwnScheduleRoutePorts &
  OwnUserRoutePorts &
  OwnWebhookRoutePorts;
