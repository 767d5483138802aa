import { createHash } from "node:crypto";
import type pg from "pg";
import { BackupFault, damagedContent } from "../../platform/backup-fault.js";
import type { Migration } from "../../platform/database/migration.js";
import type { Manifest, Opening, Sequence, TablePart } from "../domain/content.js";
import type { DeliveryHold } from "../domain/delivery-hold.js";
import { CopyIn, CopyOut } from "./copy.js";
import { holdDelivery } from "./delivery-hold.js";
import { copyInto, copyOutOf, newestEntries, quoted, savedTables } from "./saved-tables.js";
import { lastOf } from "./skipped-numbers.js";

/**
 * The migrations of this build that make the schema of a backup. Throws a `BackupFault` if this build does not have them.
 *
 * @param version of Curtail that made the backup
 */
export const migrationsFor = (
  { migrations }: Opening,
  known: readonly Migration[],
  version: string,
): readonly Migration[] => {
  const newer = migrations[known.length];
  if (newer !== undefined)
    throw new BackupFault(
      "newer_schema",
      `The backup has schema ${migrations.length} (${newer.name}); this version knows ${known.length}. Restore it with ` +
        `Curtail ${version}, which made it, or a newer version.`,
    );
  const other = migrations.find(({ checksum }, index) => known[index]?.checksum !== checksum);
  if (other !== undefined)
    throw new BackupFault(
      "other_schema",
      `The backup was made by a build whose migration ${other.name} has other content. Restore it with Curtail ${version}, ` +
        "the build that made it.",
    );
  return known.slice(0, migrations.length);
};

/** Fills tables that were just migrated, in the transaction that the client is in. */
export class TableLoader {
  private constructor(
    private readonly client: pg.Client,
    private readonly awaited: Map<string, readonly string[]>,
  ) {}

  /** Begins the transaction: no trigger runs in it, and what migrations wrote is gone. */
  static async begin(client: pg.Client): Promise<TableLoader> {
    await client.query("begin");
    // References hold in the backup, and counting stamps or refusing changes concerns acts, not rows that are put back.
    await client.query("set local session_replication_role = replica");
    const tables = await savedTables(client);
    await client.query(`truncate ${tables.map(({ table }) => quoted(table)).join(", ")}`);
    return new TableLoader(client, new Map(tables.map(({ table, columns }) => [table, columns])));
  }

  async table(part: TablePart, rows: AsyncIterable<Buffer>): Promise<void> {
    const columns = this.awaited.get(part.table);
    if (columns === undefined || columns.join() !== part.columns.join())
      throw damagedContent(`${part.table} is no table of its schema, or is in it twice`);
    this.awaited.delete(part.table);
    await new CopyIn(copyInto(part), rows).run(this.client);
  }

  /** @param hold what keeps the restored service from sending; null: it is not to serve */
  async end(sequences: readonly Sequence[], hold: DeliveryHold | null): Promise<void> {
    const [missing] = this.awaited.keys();
    if (missing !== undefined) throw damagedContent(`${missing} is missing`);
    for (const { name, last, isCalled } of sequences)
      await this.client.query("select setval($1::regclass, $2::bigint, $3)", [
        quoted(name),
        lastOf(name, last),
        isCalled,
      ]);
    if (hold !== null) await holdDelivery(this.client, hold);
    await this.client.query("commit");
    await this.client.query("analyze");
  }
}

/** What the tables of a restored database hold, as a backup notes it. */
export const countTables = async (client: pg.Client): Promise<Pick<Manifest, "parts" | "newest">> => {
  const parts: Array<Manifest["parts"][number]> = [];
  for (const { table, columns } of await savedTables(client)) {
    const [rows, hash] = [new CopyOut(copyOutOf({ table, columns })), createHash("sha256")];
    let bytes = 0;
    for await (const piece of rows.of(client)) {
      hash.update(piece);
      bytes += piece.length;
    }
    parts.push({ name: table, rows: rows.rows, bytes, sha256: hash.digest("hex") });
  }
  return { parts, newest: await newestEntries(client) };
};
