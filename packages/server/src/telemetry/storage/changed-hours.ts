import type { HourRow, MeterKey } from "@curtail/measure";
import type { Queryable } from "../../platform/database/database.js";
import { valuesOf } from "../../platform/database/values-of.js";
import { grouped } from "../../platform/grouped.js";
import { inPieces } from "../../platform/in-pieces.js";
import type { LoggedAnswer } from "./log-memory.js";
import { type LogOverlay, layOver, markedVersion, markOf, markOfVersion, rowVersionOf } from "./log-overlay.js";
import type { StoredRecord } from "./log-rows.js";
import { loggedRead, readLogged } from "./logged-read.js";
import { storedHours } from "./stored-hours.js";
import { decodeCells } from "./telemetry-encoding.js";

/** An hour as last read; null: it did not exist. */
interface KnownHour extends MeterKey {
  readonly hour: number;
  readonly rowVersion: string | null;
}

interface ChangedHour extends HourRow {
  readonly rowVersion: string;
}

const CHANGED_HOURS = loggedRead(
  "changed-hours",
  4,
  ({ within }) => `
    select stored.site, stored.meter, stored.hour as place, stored.xmin::text as version,
      encode(array_send(stored.kw), 'base64') as content
    from unnest($1::int[], $2::int[], $3::int[], $4::text[]) as known (site, meter, hour, version)
    join telemetry_hours as stored using (site, meter, hour)
    where stored.xmin::text is distinct from known.version${within("stored.site")}`,
);

/** Those of the last hours, which are not packed yet, that were written since. */
export const changedHours = async (db: Queryable, known: readonly KnownHour[]): Promise<ChangedHour[]> => {
  const asked = known.map((each) => ({ ...each, version: rowVersionOf(each.rowVersion) }));
  const answer = await readLogged(db, CHANGED_HOURS, asked, (hours) =>
    valuesOf(hours, "site", "meter", "hour", "version"),
  );
  const { changed, again } = divided(answer, known);
  return again.length === 0 ? changed : [...changed, ...(await readAgain(db, again))];
};

/** Rows that were written, and hours of which only the log has more. */
const divided = ({ records, log }: LoggedAnswer, known: readonly KnownHour[]) => {
  // Spreading the rest of each row would take as long as decoding it.
  const changed = records.map((record) => changedHour(record, log));
  const written = new Set(changed.map(({ meter, hour }) => `${meter} ${hour}`));
  const again = known.filter(({ meter, hour, rowVersion }) => {
    const mark = log?.mark(meter, hour) ?? null;
    return mark !== markOfVersion(rowVersion) && !written.has(`${meter} ${hour}`);
  });
  return { changed, again };
};

const changedHour = ({ site, meter, place: hour, version, content }: StoredRecord, log: LogOverlay | null) => {
  const cells = decodeCells(content ?? "");
  const logged = log?.hours(meter, [{ from: hour, to: hour }])[0];
  if (logged !== undefined) layOver(cells, logged);
  return { site, meter, hour, cells, rowVersion: markedVersion(version, markOf(logged)) };
};

const readAgain = async (db: Queryable, hours: readonly KnownHour[]): Promise<ChangedHour[]> => {
  const byMeter = grouped(hours, ({ meter }) => meter);
  const asked = [...byMeter.values()].map((own) => ({
    meters: own.slice(0, 1).map(({ site, meter }) => ({ site, meter })),
    periods: own.map(({ hour }) => ({ from: hour, to: hour })),
  }));
  const rows = await inPieces(asked, (some) => storedHours(db, ...some));
  return rows.map(({ site, meter, hour, cells, version }) => ({ site, meter, hour, cells, rowVersion: version ?? "" }));
};
