interface Bound {
  /** Buffers of 8 KB. */
  readonly most: number;
  /** More for each site of the fleet: what shows, counts or searches all of them. */
  readonly perSite?: number;
  readonly why: string;
}

/** Most buffers of a statement on a hot path that has no bound of its own. */
const MOST_BUFFERS = 250;

const fleet = (perSite: number, why: string): Bound => ({ most: MOST_BUFFERS, perSite, why });
const page = (most: number, why: string): Bound => ({ most, why });

/** How many buffers a statement may touch in a store of so many sites. */
export const boundOf = (name: string, sites: number): number => {
  const { most = MOST_BUFFERS, perSite = 0 } = bounds[name] ?? {};
  return most + perSite * sites;
};

/** Statements that need more, by their names. */
const bounds: Readonly<Record<string, Bound>> = {
  "overview-sites": page(8000, "a thousand sites with their meters"),
  "overview-notified": page(5000, "counts whom all current dispatches reached, from ten tables each"),
  "shift-changes": page(
    8000,
    "groups each change that a person made in a shift, with the name of its dispatch or site",
  ),
  "site-map": fleet(0.1, "shows every site with coordinates, with its largest commitment"),
  "site-map-without": fleet(0.1, "counts every site without coordinates"),
  "enabled-meters": fleet(0.1, "answers every meter of the fleet, for its load"),
  "stored-hours": fleet(15, "packing reads a day of many meters at once"),
  "sites-to-profile": page(8000, "in the background: five hundred sites with their meters and programs"),
  "known-load-profiles": page(30_000, "in the background: the days that five hundred sites have profiles of"),
  "forget-load-profiles": page(2000, "in the background: the days of five hundred sites that are too old"),
  "save-load-profiles": page(1500, "in the background: profiles of 48 days, each with an index entry"),
  "newest-hours": page(5000, "in the background: which meters of five hundred sites report"),
  "telemetry/meter-directory.findMeters": page(
    800,
    "two hundred meters of an upload with their sites, once in a process",
  ),
  "onboarding-sites": page(4000, "a page of two hundred sites with their meters"),
  "filled-cells": page(4000, "the last hour of each meter of a page of sites"),
  "dispatch/dispatch-store.list": page(1500, "a page of a hundred dispatches of a site, each found among others"),
  "dispatch/dispatch-store.pastOf": page(
    1500,
    "a page of a hundred dispatches of an account, with the number of its sites",
  ),
  "notification/owed-store.reached": page(6000, "whom a hundred dispatches reached, from ten tables each"),
  "notification/calendar-reader.dispatchesOf": page(8000, "a calendar of five hundred dispatches with their sites"),
  "oversight/joined.joined": page(1000, "the rules of all kinds of alarms, each held to 250 before they were joined"),
  "oversight/search-store.ofAccount": fleet(0.1, "searches the names of the account's sites and its newest dispatches"),
  "number-entities": page(1000, "writes a row and two index entries for each id that is shown for the first time"),
  "log-requests": page(1000, "a row for each key, address and status since the last write, with its indexes"),
  "expand-personal-notices": page(500, "a message for each person and browser of a dispatch, with its indexes"),
  "expand-personal-alarms": page(500, "a message for each person and browser that wants alarms, with its indexes"),
  "claim-personal-mail": page(1000, "leases what is due, up to 64, each with its indexes"),
  "claim-personal-push": page(1000, "leases what is due, up to 64, each with its indexes"),
  "platform/kept-answer-store.removeOldAnswers": page(4000, "the kept answers of all who sent a key just now"),
  "openadr-3/object-store.insert": page(500, "an object, with its indexes"),
  "openadr3-candidates": page(2000, "who may be notified of fifty changes, if callbacks are behind"),
  "openadr-3/callbacks.write": page(1000, "the callbacks of fifty changes, with their indexes"),
  "performance-versions": page(6000, "the results of a day's dispatches, for a report"),
  "performance/standing-reader.sites": page(30_000, "the sites of a day's dispatches, for a report"),
  "performance/standing-reader.siteCounts": page(2000, "counts the sites of up to a hundred dispatches of a report"),
  "performance/standing-reader.statusLimits": page(500, "the limits of a page of a hundred dispatches"),
  "performance/standing-reader.dispatches": page(8000, "a page of a month's dispatches, for a statement that is due"),
  "performance/standing-reader.overlapping": page(
    6000,
    "the dispatches that meet those of a page, by their start and sites",
  ),
  "performance/standing-reader.past": page(8000, "a day's dispatches, for a report"),
  "performance/measurement-reader.eventsOfSite": page(
    12_000,
    "a site's dispatches of up to a year, among those of all",
  ),
  "claim-deliveries-behind": page(1500, "claims a delivery of each of 32 webhooks that hang, however many there are"),
  "first-steps": page(2000, "counts a hundred sites whose readings nobody is shown, by the readings of each"),
  "last-readings": page(6000, "a thousand sites with their newest readings"),
  "sites-with-meters": page(2000, "up to five hundred sites with their meters"),
  search: fleet(0.1, "searches the names of all sites"),
  "portfolio/site-store.search": page(3000, "a page of two hundred sites that a search finds, with their meters"),
  "settlement/statement-store.list": page(2000, "sorts the statements of all accounts"),
  "notification/reach-reader.ofAccounts": page(
    500,
    "the channels of each account of a dispatch, and their last deliveries",
  ),
  "dispatch/dispatch-store.pageWithSites": fleet(2, "a page of dispatches, some of all sites"),
  "dispatch-timeline": page(500, "all that reached accounts of a dispatch, from as many tables as there are channels"),
  "notification/evidence-store.list": page(500, "a page of evidence, from some twenty tables"),
  "performance/correction-store.find": page(4000, "the dispatches since late readings, once for many uploads"),
  "performance/correction-store.forget": fleet(
    2.1,
    "deletes the notes of the hour before, with pages that were added meanwhile",
  ),
  "performance/measurement-reader.otherEvents": page(
    12_000,
    "hashes all dispatches that began, beside those of the sites; once for a dispatch",
  ),
  "performance/measurement-reader.unfinished": page(8000, "the dispatches of the last seven days, two thousand here"),
  "access/request-log-store.removeBefore": fleet(5, "deletes what the log keeps no longer"),
  "prune-openadr3-changes": fleet(2, "deletes the changes that nobody follows any more"),
  "platform/sealed-secrets.sealAgain": fleet(1, "at the start only: looks for secrets in plain text"),
  "platform/database.transaction": page(1000, "statements of the demo's and archive's upkeep"),
};

const PACKING = "packs and archives a day of readings, once an hour in the background";
const BATTERY = "batteries only: by the primary key, as the same statement on readings, which a scene runs";
const LOG = "with a log of readings only: a row for each commit, and folds in the background";
const SANDBOX = "the sandbox, whose tables have no past of production";

/** Named statements that no scene runs, with what runs them and why they are not hot. */
export const elsewhere: Readonly<Record<string, string>> = {
  "openadr3-add-report": "a report of a dispatch's event: one row by its primary key",
  "claim-below-target": "once for each dispatch, and only while dispatches are traced",
  "trace-of-change": "by an index of traced entries, once for each change, and only while dispatches are traced",
  "append-to-log": LOG,
  "delete-folded": LOG,
  "fold-telemetry": LOG,
  "fold-charges": LOG,
  "logged-meters": LOG,
  "log-overlaps": PACKING,
  "charge-hours": BATTERY,
  "charge-meters": "meters by number, once for each that sends kWh, and again after a change of what they mean",
  "last-charges": BATTERY,
  "upsert-charges": BATTERY,
  "shards-of-sites": "a distributed database: the shard of each site, once in a process",
  "ends-of-hours": PACKING,
  "next-meters": PACKING,
  "next-sites": PACKING,
  "delete-archived-hours": PACKING,
  "delete-archived-days": PACKING,
  "delete-archived-charges": PACKING,
  "log-page": "a process that begins beside a large log: 5,000 batches",
  "hidden-meters": "with a log: meters of sites whose data is hidden, for the first steps of an operator",
  "due-meters": "with a log: meters of dispatches that are due, for alarms",
  "meters-called": "with a log: meters of dispatches that lack readings, for groups of alarms",
  "reporting-meters": "an operator changes meters: two index probes for each",
  "write-load": "an upload of controllable load: a row each",
  "delete-packed-hours": PACKING,
  "lock-hours-to-pack": PACKING,
  "oldest-hours": PACKING,
  "packed-days": PACKING,
  "record-archive": PACKING,
  "write-packed-days": PACKING,
  "current-scenario": SANDBOX,
  "current-scenario-ids": SANDBOX,
  "hold-sandbox-readings": SANDBOX,
  "note-acts": SANDBOX,
  "note-ven-acts": SANDBOX,
  "meters-of-named-sites": "uploads that name sites in place of meters: by their primary keys",
  "ven-dispatches-of-many":
    "more than eight VENs that poll at once: as `recent-dispatches-of-many`, which a scene runs",
  "hold-entries": "a follower that failed on a subject, with later entries of it: by the journal's key",
  "save-demo": "an operator starts or ends the demo: one row",
  "save-simulated-site": "what the simulated site sends, twice a minute: one row",
  "claim-simulated-site": "every five seconds while there is a simulated site: one row",
};
