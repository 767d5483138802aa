export interface Bound {
  /** Buffers of 8 KB. */
  readonly most: number;
  /** More for each site of the fleet: what shows, counts or searches all of them. */
  readonly perSite?: number;
  readonly why: string;
}

/** Most buffers of a statement on a hot path that has no bound of its own. */
export const MOST_BUFFERS = 250;

const fleet = (perSite: number, why: string): Bound => ({ most: MOST_BUFFERS, perSite, why });
const page = (most: number, why: string): Bound => ({ most, why });

/** Statements that need more, by their names. */
export const bounds: Readonly<Record<string, Bound>> = {
  "overview-counts": fleet(6, "counts every meter's newest reading"),
  "enabled-meters": fleet(0.1, "answers every meter of the fleet, for its load"),
  "stored-hours": fleet(15, "packing reads a day of many meters at once"),
  "telemetry/site-health-reader.list": fleet(2, "finds the silent meters of all sites"),
  "onboarding-sites": fleet(2, "the state of all sites"),
  "onboarding-tests": fleet(1, "the tests of all accounts"),
  "first-steps": page(2000, "counts a hundred sites whose readings nobody is shown, by the readings of each"),
  "last-readings": fleet(1, "a page of sites with their newest readings"),
  search: fleet(1, "searches the names of all sites"),
  "search-own": fleet(1, "searches the names of all sites and past dispatches"),
  "portfolio/site-store.search": fleet(1, "searches the names of all sites"),
  "settlement/statement-store.list": fleet(1, "sorts the statements of all accounts"),
  "dispatch/dispatch-store.pageWithSites": fleet(2, "a page of dispatches, some of all sites"),
  "notification/evidence-store.list": page(500, "a page of evidence, from some twenty tables"),
  "performance/standing-reader.dispatches": fleet(5, "a page of a month's dispatches, for a statement that is due"),
  "performance/late-readings.findConcerned": fleet(2, "finds the dispatches of late readings, once for many uploads"),
  "performance/late-readings.forget": fleet(1, "deletes the notes of the hour before"),
  "performance/measurement-reader.otherEvents": fleet(2, "the dispatches of a site in its look-back"),
  "performance/measurement-reader.unfinished": fleet(1, "dispatches of the last seven days"),
  "access/request-log-store.removeBefore": fleet(5, "deletes what the log keeps no longer"),
  "prune-openadr3-changes": fleet(2, "deletes the changes that nobody follows any more"),
  "platform/sealed-secrets.sealAgain": fleet(1, "at the start only: looks for secrets in plain text"),
  "platform/database.transaction": page(1000, "statements of the demo's and archive's upkeep"),
};

const PACKING = "packing and archiving, in the background";
const SANDBOX = "the sandbox, whose tables have no past of production";
const MANY = "more accounts than the scenes have: reads the sites of recent dispatches";
const CHANNEL = "a channel that the scenes do not have";
const WALL = "streams of pages";

/** Named statements that no scene runs, with what runs them. */
export const elsewhere: Readonly<Record<string, string>> = {
  "accepted-keys": "streams of dispatches",
  "calendar-dispatches": "calendars",
  "find-calendar": "calendars",
  "await-corrected-contacts": CHANNEL,
  "claim-mails": CHANNEL,
  "drop-mails": CHANNEL,
  "end-mail-retries": CHANNEL,
  "record-mail": CHANNEL,
  "settle-unsendable-mails": CHANNEL,
  "record-personal-notices": CHANNEL,
  "record-phone-message": CHANNEL,
  "closed-days": PACKING,
  "delete-packed-hours": PACKING,
  "lock-hours-to-pack": PACKING,
  "oldest-hours": PACKING,
  "packed-days": PACKING,
  "record-archive": PACKING,
  "write-packed-days": PACKING,
  "current-scenario": SANDBOX,
  "current-scenario-ids": SANDBOX,
  "note-acts": SANDBOX,
  "note-ven-acts": SANDBOX,
  "first-hours": "measuring a site that is new",
  "meters-of-named-sites": "uploads that name sites",
  "openadr3-broker-clients": CHANNEL,
  "openadr3-add-report": "reports of OpenADR 3 clients",
  "openadr3-add-change": "writes of OpenADR 3 clients",
  "openadr3-changes-since": CHANNEL,
  "openadr3-objects-of-client": "what OpenADR 3 clients write, up to their limits",
  "openadr3-publications": CHANNEL,
  "recent-dispatches-of-many": MANY,
  "ven-dispatches-of-many": MANY,
  "save-demo": "the demo",
  "unreached-accounts": "owed looks at dispatches that reached nobody",
  "watched-alarms": WALL,
  "watched-dispatches": WALL,
  "watched-progress": WALL,
};
