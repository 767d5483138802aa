import type { FastifyBaseLogger } from "fastify";
import type { Once, Within } from "../operations/answer-once.js";
import type { IssuingStores } from "../operations/create-dispatch.js";
import type { AnsweredRequest } from "../operations/log-requests.js";
import type { ParticipantService } from "../operations/participant-service.js";
import type { ScenarioService, ScenarioWithin } from "../operations/scenario-service.js";
import type { IdentityProvider } from "../operations/sign-in-by-identity.js";
import type { AnswerBudget } from "./answer-budget.js";
import type { KeyCheckPorts, KeyCheckSettings } from "./api-key-check.js";
import type { ListenerSettings } from "./bare-server.js";
import type { ServiceAddresses } from "./console/account.js";
import type { ConsolePorts } from "./console/console-ports.js";
import type { OperatorPorts } from "./operator/operator-ports.js";
import type { ClaimCertificate } from "./routes/certificate-claim.js";
import type { HealthPorts } from "./routes/health.js";
import type { ClaimKey } from "./routes/key-claim.js";
import type { SessionRoutePorts } from "./routes/session-ports.js";
import type { UploadSettings } from "./routes/telemetry.js";
import type { OncePorts } from "./serve-once.js";

export type ServerSettings = KeyCheckSettings & ListenerSettings & Omit<UploadSettings, "bodies">;

/** What every listener has: the participants' interface over one environment. */
export interface ServerPorts {
  readonly logger: FastifyBaseLogger;
  readonly keys: KeyCheckPorts;
  readonly participant: ParticipantService;
  /** Keeps answers to requests with an Idempotency-Key. */
  readonly once: Once<Within<IssuingStores>>;
  /** On the sandbox listener. */
  readonly scenarios?: ScenarioService & OncePorts<ScenarioWithin>;
  /** The operator's side, on the production listener. */
  readonly operation?: OperationPorts;
  readonly health: HealthPorts;
  /** Where participants' systems connect to, once somebody listens. */
  readonly addresses: () => ServiceAddresses;
  /** Told of every answer to a known key's request. */
  readonly noteRequest?: (request: AnsweredRequest) => void;
  /** Told of every answer: route pattern, method, status, seconds taken. */
  readonly observe: (route: string, method: string, status: number, seconds: number) => void;
}

/** Which side a listener of production serves: both, or one where operators have a port of their own. */
export type Side = "both" | "participants" | "operators";

/** What operators do, and people of an account for themselves. */
export type PeoplePorts = OperatorPorts & ConsolePorts;

export interface OperationPorts {
  readonly side: Side;
  readonly operator: PeoplePorts;
  readonly isOperatorToken: (token: string) => Promise<boolean>;
  readonly claimKey: ClaimKey;
  readonly sessions: SessionRoutePorts;
  /** null: no single sign-on. */
  readonly identityProvider: IdentityProvider | null;
  /** What participants' people use: they read for themselves, which is no evidence that their systems were told. */
  readonly console: ParticipantService;
  readonly claimCertificate: ClaimCertificate;
  /** Folder of the built web pages; null: there are none. */
  readonly pages: string | null;
}

/** With what every listener has. */
export type ServedOperation = OperationPorts & Pick<ServerPorts, "addresses">;

/** What all routes of a listener share. */
export interface Limits extends Pick<UploadSettings, "bodies"> {
  readonly budget: AnswerBudget;
}

export type LimitedSettings = ServerSettings & Limits;
