import { Batcher } from "../batcher.js";
import type { ReadStamps, Stamps, VisiblePart } from "../stamps.js";
import type { Row } from "./columns.js";
import type { Queryable } from "./database.js";

/** One statement for all who ask while another is under way: nobody joins one that has begun. */
export const stampReader = (db: Queryable): ReadStamps => {
  const reading = new Batcher<null, Stamps>({
    async work(askers) {
      const stamps = await readStamps(db);
      return askers.map(() => stamps);
    },
    most: Number.POSITIVE_INFINITY,
  });
  return () => reading.add(null);
};

const readStamps = async (db: Queryable): Promise<Stamps> => {
  const { rows } = await db.query<Row<"visible_stamps", "part" | "stamp">>({
    name: "visible-stamps",
    text: "select part, stamp from visible_stamps",
  });
  return Object.fromEntries(rows.map(({ part, stamp }) => [part, stamp])) as Record<VisiblePart, string>;
};
