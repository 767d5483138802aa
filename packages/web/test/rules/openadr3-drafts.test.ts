import { describe, expect, test } from "vitest";
import {
  clientDraftOf,
  clientSettingsOf,
  newClientDraft,
  type Openadr3Client,
} from "../../src/rules/openadr3-client-draft.js";
import {
  changedEventOf,
  draftFrom,
  eventChangeOf,
  isOfForm,
  newEventDraft,
  newEventOf,
  type OwnEvent,
  type OwnProgram,
  payloadName,
  previewOf,
  unitName,
  valuesOf,
  wantedCount,
} from "../../src/rules/openadr3-event-draft.js";
import { audienceWords, newOwnProgram, newOwnProgramOf } from "../../src/rules/openadr3-program-draft.js";
import { lastCallback } from "../../src/rules/openadr3-subscription.js";

const NOW = new Date("2026-07-01T09:30:20Z");
const BERLIN = "Europe/Berlin";

const program: OwnProgram = {
  id: "oap_1",
  environment: "production",
  name: "Prices",
  public: true,
  payloads: [{ payload_type: "PRICE", units: "THERMS", currency: "EUR" }],
  targets: { accounts: [], sites: [], names: [] },
  event_count: 0,
  created_at: "2026-06-01T00:00:00Z",
  modified_at: "2026-06-01T00:00:00Z",
};

const draft = (given: object = {}) => ({ ...newEventDraft(program, NOW, BERLIN), ...given });

describe("values of a field", () => {
  test("are separated by spaces, lines or semicolons", () => {
    expect(valuesOf(" 0.1 -2\n3.;.5\t+1 ")).toEqual([0.1, -2, 3, 0.5, 1]);
  });

  test("with a decimal comma are refused, as it might separate them", () => {
    expect(valuesOf("0,21 0.22")).toMatchObject({ fault: expect.stringContaining('"0,21" is no number') });
    expect(valuesOf("1e3")).toHaveProperty("fault");
    expect(valuesOf("  ")).toEqual({ fault: "Enter at least one value." });
  });
});

describe("a new event", () => {
  test("begins as a day of the program's values, tomorrow", () => {
    expect(draft()).toMatchObject({ when: "day", day: "2026-07-02", units: "THERMS", currency: "EUR" });
  });

  test("has as many intervals as its day", () => {
    expect(wantedCount(draft())).toBe(24);
    expect(wantedCount(draft({ day: "2027-03-28" }))).toBe(23);
    expect(wantedCount(draft({ day: "2026-10-25", interval_minutes: "15" }))).toBe(100);
    for (const other of [
      { interval_minutes: "7" },
      { interval_minutes: "" },
      { day: "" },
      { timezone: "Moon" },
      { when: "from" },
    ])
      expect(wantedCount(draft(other))).toBeNull();
  });

  test("is previewed as its intervals, and not while it is incomplete", () => {
    const preview = (given: object) => previewOf(draft({ values: "1 2", ...given }), NOW, BERLIN);
    expect(preview({})).toMatchObject([
      { start: new Date("2026-07-01T22:00:00Z"), end: new Date("2026-07-01T23:00:00Z"), value: 1 },
      { value: 2 },
    ]);
    expect(preview({ when: "standing" })).toEqual([{ start: NOW, end: null, value: 1 }]);
    expect(preview({ when: "from", start: "2026-07-01T12:00", interval_minutes: "30" })[1]).toMatchObject({
      start: new Date("2026-07-01T10:30:00Z"),
    });
    for (const other of [
      { values: "x" },
      { timezone: "Moon" },
      { interval_minutes: "0" },
      { payload_type: "ALERT_FIRE" },
    ])
      expect(preview(other)).toEqual([]);
  });

  test("is sent as the service takes it", () => {
    const targets = { accounts: ["acc_1"], sites: [], names: ["group 1"] };
    expect(
      newEventOf(
        draft({ values: "1 2", name: " Day ", priority: "0", currency: "eur", accounts: "acc_1", names: "group 1\n" }),
        BERLIN,
      ),
    ).toEqual({
      program_id: "oap_1",
      payload_type: "PRICE",
      name: "Day",
      day: "2026-07-02",
      timezone: BERLIN,
      interval_seconds: 3600,
      values: [1, 2],
      units: "THERMS",
      currency: "EUR",
      priority: 0,
      targets,
    });
    const alert = { payload_type: "ALERT_FIRE", units: "", when: "standing", message: " Fire " };
    expect(newEventOf(draft(alert), BERLIN)).toMatchObject({ message: "Fire", end_time: null });
    expect(newEventOf(draft({ values: "1", when: "from", start: "2026-07-01T12:00" }), BERLIN)).toMatchObject({
      start_time: "2026-07-01T10:00:00.000Z",
    });
    expect(newEventOf(draft({ values: "1", when: "from", start: "2027-03-28T02:30" }), BERLIN)).toHaveProperty("fault");
    expect(newEventOf(draft({ values: "" }), BERLIN)).toHaveProperty("fault");
  });
});

describe("an event that exists", () => {
  const event: OwnEvent = {
    id: "oae_1",
    program_id: "oap_1",
    program_name: "Prices",
    environment: "production",
    name: "Evening",
    state: "active",
    payloads: [{ payload_type: "PRICE", units: "KWH", currency: "EUR" }],
    start_time: "2026-07-01T10:00:20Z",
    end_time: "2026-07-01T11:00:20Z",
    priority: null,
    targets: { accounts: ["acc_1"], sites: [], names: [] },
    interval_count: 2,
    intervals: [
      {
        start_time: "2026-07-01T10:00:20Z",
        end_time: "2026-07-01T10:30:20Z",
        payloads: [{ payload_type: "PRICE", values: [0.1] }],
      },
      {
        start_time: "2026-07-01T10:30:20Z",
        end_time: "2026-07-01T11:00:20Z",
        payloads: [{ payload_type: "PRICE", values: [0.2] }],
      },
    ],
    created_at: "2026-06-01T00:00:00Z",
    modified_at: "2026-06-01T00:00:00Z",
  };

  test("fills the form with its values", () => {
    expect(draftFrom(event, BERLIN, NOW)).toMatchObject({
      when: "from",
      start: "2026-07-01T12:00",
      interval_minutes: "30",
      values: "0.1\n0.2",
      accounts: "acc_1",
    });
    expect(changedEventOf({ ...eventChangeOf(event), name: " " })).toEqual({
      name: null,
      priority: null,
      targets: event.targets,
    });
  });

  test("is changed there only if the form can hold it", () => {
    const [first, second] = event.intervals;
    expect(isOfForm(event)).toBe(true);
    const other = [
      { payloads: [{ payload_type: "CURVE", units: null, currency: null }] },
      { intervals: [] },
      { intervals: first && second ? [first, { ...second, end_time: "2026-07-01T12:00:00Z" }] : [] },
      { intervals: first ? [{ ...first, payloads: [{ payload_type: "PRICE", values: [1, 2] }] }] : [] },
    ];
    for (const given of other) expect(isOfForm({ ...event, ...given })).toBe(false);
  });
});

test("names of payloads and units are those of people, others stay as they are", () => {
  expect(payloadName("IMPORT_CAPACITY_LIMIT")).toBe("Limit of imported power");
  expect(payloadName("OWN")).toBe("OWN");
  expect(unitName({ units: "KWH", currency: "EUR" })).toBe("EUR/kWh");
  expect(unitName({ units: null, currency: null })).toBe("");
});

test("a program of prices has units and currency, one of alerts has no payloads", () => {
  const wanted = { ...newOwnProgram("sandbox"), name: " Prices ", currency: "usd" };
  expect(newOwnProgramOf(wanted)).toEqual({
    name: "Prices",
    environment: "sandbox",
    payloads: [{ payload_type: "PRICE", units: "KWH", currency: "USD" }],
    public: false,
    targets: { accounts: [], sites: [], names: [] },
  });
  expect(newOwnProgramOf({ ...wanted, isPublic: true, names: "group-1" })).toMatchObject({ public: true, targets: {} });
  expect(newOwnProgramOf({ ...wanted, purpose: "alerts" })).toMatchObject({ payloads: [] });
  expect(audienceWords({ accounts: ["acc_1"], sites: ["site_1", "site_2"], names: ["group-1"] }, "all")).toBe(
    "1 account, 2 sites, group-1",
  );
  expect(audienceWords(program.targets, "everybody")).toBe("everybody");
});

test("a client is sent with sites and targets, business logic without", () => {
  const wanted = {
    ...newClientDraft("ven"),
    name: " Gateway ",
    targets: "group 1\n\ngroup 1",
    sites: "site_1, site_2",
  };
  expect(clientSettingsOf(wanted, "ven")).toMatchObject({
    name: "Gateway",
    targets: ["group 1"],
    sites: ["site_1", "site_2"],
  });
  expect(clientSettingsOf({ ...wanted, sites: " " }, "ven")).toMatchObject({ sites: "all" });
  expect(clientSettingsOf({ ...newClientDraft("bl"), name: "Feed" }, "bl")).not.toHaveProperty("sites");
  const client = {
    name: "Gateway",
    environment: "sandbox",
    sites: ["site_1"],
    targets: ["a", "b"],
    scopes: ["read_all"],
  };
  expect(clientDraftOf(client as unknown as Openadr3Client)).toMatchObject({ sites: "site_1", targets: "a\nb" });
});

const words = (last_attempt: Parameters<typeof lastCallback>[0]["last_attempt"]) => lastCallback({ last_attempt }, NOW);

test("the last callback is told with its status or error", () => {
  const at = "2026-07-01T09:29:20Z";
  expect(words(null)).toEqual({ tone: "neutral", words: "not notified yet" });
  expect(words({ at, status: 204, error: null })).toMatchObject({ tone: "good" });
  expect(words({ at, status: 503, error: null })).toMatchObject({
    tone: "bad",
    words: expect.stringContaining("status 503"),
  });
  expect(words({ at, status: null, error: "refused" })).toMatchObject({ words: expect.stringContaining(": refused") });
});
