// Files of `storage/` and `http/` of packages/server/src that later modules may import; the linter closes all others.

/**
 * Each with its reason. A fragment that one later module needs belongs to that module, which may write SQL over the tables
 * of earlier ones; what no table or noun is behind belongs to the platform; what a route knows of its caller, to
 * `access/caller`.
 */
export const SHARED_FILES = {
  // Conditions and columns that statements of several modules have in common. Each says one rule of its noun, once.
  "dispatch/storage/dispatch-conditions.ts":
    "what tells real dispatches from tests, and when one is over, running or shown",
  "dispatch/storage/dispatch-row.ts": "channels read whole dispatches in statements of their own, by account or by VEN",
  "dispatch/storage/notice-store.ts":
    "notices are locked in one order, and looked at again when an account loses a channel",
  "portfolio/storage/meter-conditions.ts": "which meters are the load of a site (M1)",
  "telemetry/storage/stale-telemetry.ts": "when a site cannot be measured is one rule on pages and in alarms",
  "telemetry/storage/stored-hours.ts": "the only way to readings, whether in hour rows, packed or in the log",
  "telemetry/storage/changed-hours.ts": "which of the last hours were written since, of which a dispatch is measured",
  "telemetry/storage/hour-ends.ts": "where a meter's history begins and ends",
  "telemetry/storage/newest-of-log.ts": "what the log has is part of questions about all meters",
  "telemetry/storage/filled-cells.ts":
    "how complete the last hour of a meter is, in telemetry health and in onboarding",
  "telemetry/storage/newest-cells.ts": "the newest reading of a meter is in its shard, and is found in one way",
  "telemetry/storage/two-phases.ts":
    "what writes readings and ordinary tables is committed whole on a distributed database",
  "performance/storage/standing-reader.ts": "a shift report reads dispatches with results as reports do",
  "openadr/storage/ven-certificate-store.ts": "a VEN without a valid certificate cannot be notified",
  "openadr-3/storage/client-conditions.ts": "a client with a subscription to events is notified by callbacks",
  "notification/storage/owed-store.ts": "what counts as notifying an account, over all channels (decision 16)",
  "notification/storage/mail-queue.ts": "alarms about emails that wait, or that were refused for good",
  "notification/storage/phone-messages.ts": "alarms about a gateway that fails",
  // Mechanisms over a table that several modules write.
  "dispatch/storage/mailbox.ts": "one mailbox for the messages of all channels (decision 112)",
  "notification/storage/delivery-store.ts": "the end of a scenario drops its deliveries, as a deleted webhook does",
  "notification/storage/outdated-notices.ts": "a restore counts and drops what is outdated, by channel (decision 85)",
  "openadr/storage/outdated-pushes.ts": "the same",
  "openadr-3/storage/outdated-changes.ts": "the same",
  // Forms of a noun inside responses about something else.
  "access/http/sent-table.ts": "every export is sent in pieces, for as long as its caller is allowed to",
  "dispatch/http/wire-dispatch.ts": "a dispatch and its program look the same in overviews, previews and scenarios",
  "performance/http/wire-performance.ts": "limits of a status are shown with every number they color",
  "portfolio/http/wire-meter.ts": "the newest reading of a meter is shown in overviews and in telemetry health",
  "notification/http/delivery.ts": "deliveries of the sandbox look like those of production",
};
