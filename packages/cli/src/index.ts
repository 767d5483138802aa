export {
  ADMIN_SUMMARY,
  type AdminIo,
  type AdminSettings,
  type CommandIo,
  processCommandIo,
  processIo,
} from "./admin-io.js";
export { endOfCertificate } from "./certificate-of.js";
export { bad, type Check, good, reportChecks, warning } from "./check.js";
export { schemeCheck, unreachedCheck } from "./participant/doctor-checks.js";
export { reasonOf } from "./participant/participant-failure.js";
export { isColorless, type ParticipantIo, processParticipantIo } from "./participant/participant-io.js";
export { participantProgram, runParticipant } from "./participant/participant-program.js";
export { printerOf } from "./printer.js";
export { runner } from "./run-action.js";
export { type ShareProgress, showShare } from "./share-progress.js";
