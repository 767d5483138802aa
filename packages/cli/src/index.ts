export { adminCommand, runAdmin } from "./admin.js";
export { type AdminIo, type AdminSettings, processIo } from "./admin-io.js";
export { type ParticipantIo, processParticipantIo } from "./participant/participant-io.js";
export { PARTICIPANTS, participantProgram, runParticipant } from "./participant/participant-program.js";
