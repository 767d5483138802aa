import type { DatedVersion } from "../dated-version.js";
import { createTestDispatch, getDispatch, listDispatches } from "../v2022-04-15/dispatch.js";
import { createScenario } from "../v2022-04-15/scenario.js";
import { changeSchedule } from "../v2022-04-15/schedule.js";
import { listSites } from "../v2022-04-15/site.js";
import { readTelemetry, uploadControllableLoad, uploadTelemetry } from "../v2022-04-15/telemetry.js";
import { createWebhook, deleteWebhook, listWebhooks } from "../v2022-04-15/webhook.js";

/** The version before the current one, as far as the specification states it ("Versioning", 4 and 5). */
export const v20201230: DatedVersion = {
  date: "2020-12-30",
  words: { site: "facility", sites: "facilities" },
  // The twelve of the specification; what extends them came later.
  endpoints: [
    listDispatches,
    getDispatch,
    createTestDispatch,
    createScenario,
    changeSchedule,
    listSites,
    uploadTelemetry,
    uploadControllableLoad,
    readTelemetry,
    listWebhooks,
    createWebhook,
    deleteWebhook,
  ],
};
