import type { PartKinds } from "../../platform/database/stamps.js";

/** Every part forgets what is deleted with a demo. */
const GONE = "demo.remove";

/** Entries of the journal after which what is remembered of a part is read again. */
export const visibleKinds = {
  access: [
    "account.change",
    "key.claim",
    "key.revoke",
    // What kWh of meters mean, which callers are found with.
    "meter.change",
    "ven.change",
    "ven.delete",
    "ven.certify",
    "ven.revoke",
    GONE,
  ],
  clients: [
    "account.change",
    "openadr3_client.create",
    "openadr3_client.change",
    "openadr3_client.rotate_secret",
    "openadr3_client.revoke",
    GONE,
  ],
  dispatches: [
    "dispatch.create",
    "dispatch.change",
    "dispatch.cancel",
    "dispatch.void",
    // Its settings of OpenADR.
    "program.change",
    // Whoever measures reads them again.
    "excluded_day.create",
    "excluded_day.change",
    "excluded_day.delete",
    "rules.adopt",
    GONE,
  ],
  ven_events: ["ven.shown", "ven.answered", GONE],
} as const satisfies PartKinds;
