import type { WindowsOf } from "../../access/caller/shared-limits.js";
import type { KeyCheckPorts } from "../../access/http/api-key-check.js";
import type { ServiceAddresses } from "../../access/http/console-account.js";
import type { ClaimKey } from "../../access/http/key-claim.js";
import type { SignOn } from "../../access/http/participant-oidc.js";
import type { AnsweredRequest } from "../../access/operations/log-requests.js";
import type { DispatchStreamPorts } from "../../dispatch/http/participant-dispatch-stream.js";
import type { IssuingStores } from "../../dispatch/operations/create-dispatch.js";
import type { PageReadRoutePorts } from "../../notification/http/console-page-read.js";
import type { PersonNoticePorts } from "../../notification/http/person-notice.js";
import type { OwnWebhookRoutePorts } from "../../notification/http/webhook.js";
import type { Calendars } from "../../notification/operations/read-calendar.js";
import type { ClaimCertificate } from "../../openadr/http/certificate-claim.js";
import type { AccountOverviewPorts } from "../../oversight/operations/account-overview.js";
import type { Once, Within } from "../../platform/answer-once.js";
import type { Brand } from "../../platform/brand.js";
import type { ListenerPorts } from "../../platform/http/bare-server.js";
import type { ServedVersion } from "../../platform/http/dated-edge.js";
import type { OncePorts } from "../../platform/http/serve-once.js";
import type { OwnScenarioRoutePorts } from "../../sandbox/http/scenario.js";
import type { ScenarioService, ScenarioWithin } from "../../sandbox/operations/scenario-service.js";
import type { HealthPorts } from "./health.js";
import type { OperatorPorts, OperatorSide } from "./operator-routes.js";
import type { ParticipantService } from "./participant-service.js";
import type { PollPorts } from "./poll-lane.js";
import type { TracedRequestPorts } from "./traced-requests.js";

/** Ports of every listener: the participants' interface in one environment. */
export interface ServerPorts extends Omit<ListenerPorts, "errors"> {
  readonly keys: KeyCheckPorts;
  /** Requests of callers. */
  readonly windowsOf: WindowsOf;
  readonly participant: ParticipantService;
  /** Streams of dispatches. */
  readonly following: DispatchStreamPorts;
  /** Stores answers to requests with an Idempotency-Key. */
  readonly once: Once<Within<IssuingStores>>;
  /** Earlier versions of the interface that are served, too. */
  readonly earlier?: readonly ServedVersion[];
  /** On the sandbox listener. */
  readonly scenarios?: ScenarioService & OncePorts<ScenarioWithin>;
  /** Answers polls from memory. */
  readonly polls?: PollPorts;
  /** The operator's side, on the production listener. */
  readonly operation?: OperationPorts;
  readonly health: HealthPorts;
  /** Addresses for participants' systems, once listening. */
  readonly addresses: () => ServiceAddresses;
  /** Called for every response to a request with a known key. */
  readonly noteRequest?: (request: AnsweredRequest) => void;
  /** null or absent: requests are not traced. */
  readonly traced?: TracedRequestPorts | null;
}

/** Which side a production listener serves: both, or one if operators have their own port. */
export type Side = "both" | "participants" | "operators";

/** Ports of operators, and what an account's users need besides. */
export type PeoplePorts = OperatorPorts &
  AccountOverviewPorts &
  OwnScenarioRoutePorts &
  OwnWebhookRoutePorts &
  PageReadRoutePorts;

export interface OperationPorts extends Omit<OperatorSide, "addresses"> {
  readonly side: Side;
  readonly operator: PeoplePorts;
  readonly claimKey: ClaimKey;
  readonly calendars: Calendars;
  /** What people are notified of. */
  readonly notices: PersonNoticePorts;
  /** null: no single sign-on. */
  readonly signOn: Omit<SignOn, "landingPage"> | null;
  /** Operations for users of participants: their reads are no evidence that their systems were notified. */
  readonly console: ParticipantService;
  readonly claimCertificate: ClaimCertificate;
  /** Folder of the built web pages; null: there are none. */
  readonly pages: string | null;
  readonly brand: Brand;
}

/** Includes what every listener has. */
export type ServedOperation = OperationPorts & Pick<ServerPorts, "addresses">;
