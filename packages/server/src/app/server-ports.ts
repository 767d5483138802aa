import type { FastifyBaseLogger } from "fastify";
import type { RateWindows } from "../access/domain/rate-limit.js";
import type { KeyCheckPorts, KeyCheckSettings } from "../access/http/api-key-check.js";
import type { ServiceAddresses } from "../access/http/console-account.js";
import type { ClaimKey } from "../access/http/key-claim.js";
import type { SignOn } from "../access/http/participant-oidc.js";
import type { SessionRoutePorts } from "../access/http/session-ports.js";
import type { AnsweredRequest } from "../access/operations/log-requests.js";
import type { DispatchStreamPorts } from "../dispatch/http/participant-dispatch-stream.js";
import type { IssuingStores } from "../dispatch/operations/create-dispatch.js";
import type { PersonNoticePorts } from "../notification/http/person-notice.js";
import type { Calendars } from "../notification/operations/read-calendar.js";
import type { ClaimCertificate } from "../openadr/http/certificate-claim.js";
import type { Once, Within } from "../platform/answer-once.js";
import type { AnswerBudget } from "../platform/http/answer-budget.js";
import type { ListenerSettings } from "../platform/http/bare-server.js";
import type { CallerTurns } from "../platform/http/caller-turns.js";
import type { ServedVersion } from "../platform/http/dated-edge.js";
import type { OncePorts } from "../platform/http/serve-once.js";
import type { ScenarioService, ScenarioWithin } from "../sandbox/operations/scenario-service.js";
import type { UploadSettings } from "../telemetry/http/participant-telemetry.js";
import type { ConsolePorts } from "./console-ports.js";
import type { HealthPorts } from "./health.js";
import type { OperatorPorts } from "./operator-ports.js";
import type { ParticipantService } from "./participant-service.js";
import type { PollPorts } from "./poll-lane.js";

export type ServerSettings = KeyCheckSettings & ListenerSettings & Omit<UploadSettings, "bodies">;

/** Ports of every listener: the participants' interface in one environment. */
export interface ServerPorts {
  readonly logger: FastifyBaseLogger;
  readonly keys: KeyCheckPorts;
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
  /** Called for every response: route pattern, method, status, duration in seconds. */
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
}

/** Which side a production listener serves: both, or one if operators have their own port. */
export type Side = "both" | "participants" | "operators";

/** Ports of operators, and of an account's users. */
export type PeoplePorts = OperatorPorts & ConsolePorts;

export interface OperationPorts {
  readonly side: Side;
  readonly operator: PeoplePorts;
  readonly isOperatorToken: (token: string) => Promise<boolean>;
  readonly claimKey: ClaimKey;
  readonly sessions: SessionRoutePorts;
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
}

/** Includes what every listener has. */
export type ServedOperation = OperationPorts & Pick<ServerPorts, "addresses">;

/** Shared by all routes of a listener. */
export interface Limits extends Pick<UploadSettings, "bodies"> {
  readonly budget: AnswerBudget;
  /** Files of meter data, one at a time. */
  readonly imports: CallerTurns;
  /** Requests by key. */
  readonly rates: RateWindows;
}

export type LimitedSettings = ServerSettings & Limits;
