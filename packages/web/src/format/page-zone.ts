import { say } from "@curtail/words/page";
import { DATE_LOCALE } from "./locale.js";
import { exactIn } from "./time.js";

/** The zone a person chose for all pages: that of each page's site or program, their own, or one by its name. */
export type ZoneChoice = "page" | "own" | (string & {});

/** The time zone in which a page shows its times. */
export interface PageZone {
  readonly timeZone: string;
  /** What the page is about, and the zone it has; `timeZone` is null if its parts have several, or none. */
  readonly place: { readonly timeZone: string | null; readonly whose: string };
  /** Zones that the page can be read in, beside the reader's and UTC. */
  readonly zones: readonly string[];
}

/** The chosen zone; by default that which everything on a page has in common, else the reader's. */
export const pageZone = (
  { timeZones, whose }: { readonly timeZones: Iterable<string>; readonly whose: string },
  own: string,
  choice: ZoneChoice,
): PageZone => {
  const zones = [...new Set(timeZones)];
  const place = zones.length === 1 ? (zones[0] ?? null) : null;
  const chosen = choice === "page" ? place : choice === "own" ? own : choice;
  return { timeZone: chosen ?? own, place: { timeZone: place, whose }, zones };
};

/** What a person may choose on a page, with the words of each. */
export const zoneChoices = (
  { place, zones }: PageZone,
  own: string,
  choice: ZoneChoice,
): ReadonlyArray<{ readonly value: ZoneChoice; readonly label: string }> => {
  const named = new Set([...(place.timeZone === null ? zones : []), ...(isFixed(choice) ? [choice] : [])]);
  return [
    {
      value: "page",
      label:
        place.timeZone === null
          ? say("Of the site or program")
          : say("{zone}, of {whose}", { zone: zoneName(place.timeZone), whose: place.whose }),
    },
    { value: "own", label: say("{zone}, yours", { zone: zoneName(own) }) },
    ...[...named].filter((zone) => zone !== "UTC").map((zone) => ({ value: zone, label: zoneName(zone) })),
    { value: "UTC", label: "UTC" },
  ];
};

const isFixed = (choice: ZoneChoice): boolean => choice !== "page" && choice !== "own";

/** Whose zone a page is in; null: nobody's. */
export const zoneOwner = ({ timeZone, place }: PageZone, own: string): "place" | "reader" | null =>
  timeZone === place.timeZone ? "place" : timeZone === own ? "reader" : null;

const names = new Map<string, string>();

/** `Central time`, as people of a zone call it; `UTC`. */
export const zoneName = (timeZone: string): string => {
  const name = names.get(timeZone) ?? nameOf(timeZone);
  names.set(timeZone, name);
  return name;
};

const nameOf = (timeZone: string): string => {
  const format = new Intl.DateTimeFormat(DATE_LOCALE, { timeZone, timeZoneName: "longGeneric" });
  const name = format.formatToParts(new Date()).find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  if (/^GMT([+-]0+:?0*)?$/.test(name)) return "UTC";
  return name.replace("GMT-", "GMT−").replace(/( Standard)? Time$/, (words) => words.toLowerCase());
};

/** A moment in the zone of the page, of its place and of the reader, and in UTC; a line each. */
export const inAllZones = (at: string, { timeZone, place }: PageZone, own: string): string =>
  [...new Set([timeZone, place.timeZone ?? own, own, "UTC"])]
    .map(
      (zone) =>
        `${exactIn(at, zone)} ${zone === own && zone !== timeZone ? say("{zone}, yours", { zone: zoneName(zone) }) : zoneName(zone)}`,
    )
    .join("\n");
