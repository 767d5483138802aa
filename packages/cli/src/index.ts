export { adminCommand, runAdmin } from "./admin.js";
export { type AdminIo, type AdminSettings, processIo } from "./admin-io.js";
