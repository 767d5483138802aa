import type { Queryable } from "../../platform/database/database.js";
import type { MeterIntervalStore } from "../operations/record-telemetry.js";
import { NumbersByKey } from "./numbers-by-key.js";

/** Stores the intervals of meters' readings. What was written is remembered: an interval rarely changes. */
export const meterIntervals = (db: Queryable): MeterIntervalStore => {
  const known = new NumbersByKey();
  return {
    async note(intervals) {
      const changed = [...intervals].filter(([meter, seconds]) => known.get(meter) !== seconds);
      if (changed.length === 0) return;
      await save(db, changed);
      for (const [meter, seconds] of changed) known.set(meter, seconds);
    },
  };
};

const save = (db: Queryable, intervals: ReadonlyArray<readonly [meter: number, seconds: number]>) =>
  db.query({
    name: "save-meter-intervals",
    // In the order of keys, so that processes writing the same rows do not deadlock.
    text: `with changed as materialized (
             select key, seconds from meters join unnest($1::int[], $2::int[]) as noted (meter, seconds) on key = meter
             where interval_seconds is distinct from seconds order by key for no key update of meters
           )
           update meters set interval_seconds = changed.seconds from changed where meters.key = changed.key`,
    values: [intervals.map(([meter]) => meter), intervals.map(([, seconds]) => seconds)],
  });
