import { say } from "@curtail/words/page";
import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from "react";
import { inAllZones, type PageZone, pageZone, zoneChoices, zoneName, zoneOwner } from "../format/page-zone.js";
import { dayAndClock, exact, OWN_ZONE, period } from "../format/time.js";
import { sayParts } from "./say-parts.js";
import { chooseZone, useZoneChoice } from "./zone-choice.js";

interface Place {
  readonly timeZones: readonly string[];
  /** The site or program, or what they are together. */
  readonly whose: string;
  /** Days and fields of such a page are those of the place, whatever zone a person chose. */
  readonly isFixed?: boolean;
}

const NOWHERE: Place = { timeZones: [], whose: "" };

const Shown = createContext<Place>(NOWHERE);
const Name = createContext<(place: Place) => void>(() => {});

/** Shows all times below it in the zone that `timeZones` have in common, unless the person chose another. */
export const PageTimes = ({
  timeZones,
  whose,
  isFixed = false,
  children,
}: Place & { readonly children: ReactNode }) => {
  const zones = timeZones.join(" ");
  const place = useMemo(
    () => ({ timeZones: zones === "" ? [] : zones.split(" "), whose, isFixed }),
    [zones, whose, isFixed],
  );
  const name = useContext(Name);
  // Before the page is painted, so that the foot never names another zone.
  useLayoutEffect(() => {
    name(place);
    return () => name(NOWHERE);
  }, [name, place]);
  return <Shown value={place}>{children}</Shown>;
};

const useZoneOf = (place: Place): PageZone => {
  const choice = useZoneChoice();
  return useMemo(() => pageZone(place, OWN_ZONE, place.isFixed === true ? "page" : choice), [place, choice]);
};

/** The zone of the page. */
export const usePageZone = (): string => useZoneOf(useContext(Shown)).timeZone;

/** `Fri 20 Nov, 14:05`, in the page's zone; the other zones at the pointer. */
export const DayAndClock = ({ at }: { readonly at: string }) => {
  const zone = useZoneOf(useContext(Shown));
  return (
    <time dateTime={at} title={inAllZones(at, zone, OWN_ZONE)}>
      {dayAndClock(at, zone.timeZone)}
    </time>
  );
};

/** `20 Nov 2026, 14:05:30 GMT+1`, in the page's zone; the other zones at the pointer. */
export const Exact = ({ at }: { readonly at: string }) => {
  const zone = useZoneOf(useContext(Shown));
  return (
    <time dateTime={at} title={inAllZones(at, zone, OWN_ZONE)}>
      {exact(at, zone.timeZone)}
    </time>
  );
};

/** `Fri 20 Nov, 14:05 – 18:05`, in the page's zone; the other zones at the pointer. */
export const Period = ({ start, end }: { readonly start: string; readonly end: string | null }) => {
  const zone = useZoneOf(useContext(Shown));
  const ends = end === null ? [start] : [start, end];
  return (
    <span title={ends.map((at) => inAllZones(at, zone, OWN_ZONE)).join("\n\n")}>
      {period(start, end, zone.timeZone)}
    </span>
  );
};

/** The name of the page's zone, where a time stands: a press chooses another for all pages. */
export const ZoneChoice = () => <Choice of={useContext(Shown)} />;

const Choice = ({ of: place }: { readonly of: Place }) => {
  const choice = useZoneChoice();
  const zone = useZoneOf(place);
  const name = zoneName(zone.timeZone);
  if (place.isFixed === true) return <span title={zone.timeZone}>{name}</span>;
  return (
    <span
      title={say("{zone}. Yours is {own}.", { zone: zone.timeZone, own: OWN_ZONE })}
      className="relative inline-flex min-h-6 items-center rounded font-medium whitespace-nowrap text-accent hover:underline has-focus-visible:outline-2 has-focus-visible:outline-accent"
    >
      <span aria-hidden="true">{name} ▾</span>
      {/* On top of the name, which is shorter than what can be chosen. */}
      <select
        aria-label={say("Times in {zone}", { zone: name })}
        value={choice}
        onChange={({ target }) => chooseZone(target.value)}
        className="absolute inset-0 w-full cursor-pointer bg-surface text-ink opacity-0"
      >
        {zoneChoices(zone, OWN_ZONE, choice).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </span>
  );
};

/** A page, with the name of its zone at the foot. */
export const WithZoneNamed = ({ children }: { readonly children: ReactNode }) => {
  const [place, setPlace] = useState(NOWHERE);
  const zone = useZoneOf(place);
  return (
    <Name value={setPlace}>
      {children}
      <p className="page-foot mt-6 text-sm text-muted print:hidden">
        <ZoneSentence zone={zone} choice={<Choice of={place} />} />
      </p>
    </Name>
  );
};

const ZoneSentence = ({ zone, choice }: { readonly zone: PageZone; readonly choice: ReactNode }) => {
  const owner = zoneOwner(zone, OWN_ZONE);
  if (owner === "place")
    return sayParts("Times on this page are in {zone}, that of {whose}.", { zone: choice, whose: zone.place.whose });
  return owner === "reader"
    ? sayParts("Times on this page are in {zone}, your time zone.", { zone: choice })
    : sayParts("Times on this page are in {zone}.", { zone: choice });
};
