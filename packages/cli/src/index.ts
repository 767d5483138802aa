export { ADMIN_SUMMARY, type AdminIo, type AdminSettings, processIo } from "./admin-io.js";
export { type ParticipantIo, processParticipantIo } from "./participant/participant-io.js";
export { participantProgram, runParticipant } from "./participant/participant-program.js";
export { type ShareProgress, showShare } from "./share-progress.js";
