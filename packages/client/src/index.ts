export { type CallByPath, callByPath, type EndpointAt, type PathOf } from "./by-path.js";
export {
  type CallInput,
  type CallOptions,
  type Endpoint,
  type InputArguments,
  type ReplyOf,
  requestPath,
} from "./call-input.js";
export { type Client, type ClientOptions, type ClientSettings, createClient } from "./client.js";
export { type Clock, systemClock } from "./clock.js";
export { type CurtailmentWindow, curtailmentWindows, type WindowOptions } from "./curtailment-windows.js";
export type { DispatchChange, DispatchPhase, SeenDispatch, WatchState } from "./dispatch-changes.js";
export { type DispatchEvent, type StreamOptions, streamDispatches } from "./dispatch-stream.js";
export { ErrorResponse, errorResponse, NoResponse } from "./failure.js";
export { type FollowOptions, followDispatches } from "./follow-dispatches.js";
export { basePaths, operatorClient, type ParticipantAccess, participantClient } from "./interfaces.js";
export { type ClaimedKey, claimKey, redeemLink } from "./links.js";
export type { CallSettings, OnceOptions, StreamSettings } from "./operation.js";
export { createParticipant, type Participant, type ParticipantSettings } from "./participant.js";
export type { ParticipantOperations } from "./participant-operations.js";
export type * from "./participant-types.js";
export { type MeterReadings, readTelemetry, type TelemetryPeriod } from "./read-telemetry.js";
export { isPassing, type RetryPolicy } from "./retry.js";
export {
  requireStored,
  type SetAside,
  type Uploaded,
  type UploadOptions,
  upload,
  uploadControllableLoad,
} from "./upload.js";
export {
  type ReceivedWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookFault,
  type WebhookNotice,
} from "./verify-webhook.js";
export { type StateStore, type WatchedParticipant, type WatchOptions, watchDispatches } from "./watch-dispatches.js";
