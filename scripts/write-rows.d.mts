interface Database {
  query(statement: string): Promise<{ readonly rows: readonly unknown[] }>;
}

/** The types of all rows of a migrated database, as `app/tables.ts` has them. */
export declare const writeRows: (db: Database) => Promise<string>;
