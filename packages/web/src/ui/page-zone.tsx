import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from "react";
import { type PageZone, pageZone, pageZoneWords } from "../format/page-zone.js";
import { dayAndClock, exact, OWN_ZONE, period } from "../format/time.js";

const READERS: PageZone = { timeZone: OWN_ZONE, whose: null };

const Shown = createContext(READERS);
const Name = createContext<(zone: PageZone) => void>(() => {});

/** Shows all times below it in the zone that `timeZones` have in common, else in the reader's. */
export const PageTimes = ({
  timeZones,
  whose,
  children,
}: {
  readonly timeZones: readonly string[];
  /** The site or program, or what they are together. */
  readonly whose: string;
  readonly children: ReactNode;
}) => {
  const { timeZone, whose: named } = pageZone(timeZones, whose, OWN_ZONE);
  const zone = useMemo(() => ({ timeZone, whose: named }), [timeZone, named]);
  const name = useContext(Name);
  // Before the page is painted, so that the foot never names another zone.
  useLayoutEffect(() => {
    name(zone);
    return () => name(READERS);
  }, [name, zone]);
  return <Shown value={zone}>{children}</Shown>;
};

/** The zone of the page. */
export const usePageZone = (): string => useContext(Shown).timeZone;

/** `Fri 20 Nov, 14:05`, in the page's zone. */
export const DayAndClock = ({ at }: { readonly at: string }) => dayAndClock(at, usePageZone());

/** `20 Nov 2026, 14:05:30 GMT+1`, in the page's zone. */
export const Exact = ({ at }: { readonly at: string }) => exact(at, usePageZone());

/** `Fri 20 Nov, 14:05 – 18:05`, in the page's zone. */
export const Period = ({ start, end }: { readonly start: string; readonly end: string | null }) =>
  period(start, end, usePageZone());

/** A page, with the name of its zone at the foot. */
export const WithZoneNamed = ({ children }: { readonly children: ReactNode }) => {
  const [zone, setZone] = useState(READERS);
  return (
    <Name value={setZone}>
      {children}
      <p className="mt-6 text-sm text-muted print:hidden">{pageZoneWords(zone, OWN_ZONE)}</p>
    </Name>
  );
};
