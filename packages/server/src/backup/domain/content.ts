import { damagedContent } from "../../platform/backup-fault.js";

/** What a backup begins with. */
export interface Opening {
  /** Applied migrations, in order. */
  readonly migrations: ReadonlyArray<{ readonly name: string; readonly checksum: string }>;
  /** Whether it has the secrets key and the certificate authority, where there were any. */
  readonly hasKeys: boolean;
  /** What the database took when it was saved, with its indexes; null in backups of earlier versions. */
  readonly databaseBytes: number | null;
  /** What its archived files take; null as for `databaseBytes`. */
  readonly archiveBytes: number | null;
}

export interface TablePart {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A file of the data directory; its path is relative to that, with `/`. */
export interface FilePart {
  readonly file: string;
}

/** A table's rows as text of `copy`, or a file. */
export type Part = TablePart | FilePart;

/** What was counted while a part was written. */
export interface PartSum {
  /** Rows of a table; 0 for a file. */
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Sequence {
  readonly name: string;
  readonly last: string;
  readonly isCalled: boolean;
}

/** The newest row of a table that is only added to. */
export interface NewestRow {
  readonly table: string;
  /** null if it is empty. */
  readonly newest: string | null;
}

/** What a backup ends with. */
export interface Manifest {
  readonly parts: ReadonlyArray<{ readonly name: string } & PartSum>;
  readonly sequences: readonly Sequence[];
  readonly newest: readonly NewestRow[];
  /** Files that were expected in the data directory and were not there. */
  readonly missing: readonly string[];
}

export const nameOf = (part: Part): string => ("table" in part ? part.table : part.file);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 1000;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isListOf = <T>(value: unknown, isOne: (each: unknown) => each is T): value is T[] =>
  Array.isArray(value) && value.every(isOne);

const MAX_LISTED = 100_000;
const TABLE = /^(public|sandbox)\.[a-z][a-z0-9_]*$/;
/** No part of a path begins with a dot. */
const FILE = /^(secrets\.key|openadr\/[\w-][\w.-]*|telemetry-archive\/([\w-][\w.-]*\/){0,3}[\w-][\w.-]*)$/;

const isFile = (each: unknown): each is string => isText(each) && FILE.test(each);

const isMigration = (each: unknown): each is Opening["migrations"][number] =>
  isObject(each) && isText(each["name"]) && isText(each["checksum"]);

export const parseOpening = (json: unknown): Opening => {
  if (!isObject(json) || !isListOf(json["migrations"], isMigration) || typeof json["hasKeys"] !== "boolean")
    throw damagedContent("its opening is not complete");
  const { databaseBytes, archiveBytes } = json;
  return {
    migrations: json["migrations"],
    hasKeys: json["hasKeys"],
    databaseBytes: isCount(databaseBytes) ? databaseBytes : null,
    archiveBytes: isCount(archiveBytes) ? archiveBytes : null,
  };
};

export const parsePart = (json: unknown): Part => {
  if (isObject(json)) {
    const { table, columns, file } = json;
    if (isText(table) && TABLE.test(table) && isListOf(columns, isText)) return { table, columns };
    if (isFile(file)) return { file };
  }
  throw damagedContent("a part is neither a table nor a file of a data directory");
};

const isSum = (json: unknown): json is Record<string, unknown> & PartSum =>
  isObject(json) && isCount(json["rows"]) && isCount(json["bytes"]) && isText(json["sha256"]);

export const parseSum = (json: unknown): PartSum => {
  if (!isSum(json)) throw damagedContent("a part has no sum");
  const { rows, bytes, sha256 } = json;
  return { rows, bytes, sha256 };
};

const isNamedSum = (json: unknown): json is Manifest["parts"][number] => isSum(json) && isText(json["name"]);
const isSequence = (json: unknown): json is Sequence =>
  isObject(json) &&
  isText(json["name"]) &&
  TABLE.test(json["name"]) &&
  isText(json["last"]) &&
  /^\d{1,19}$/.test(json["last"]) &&
  typeof json["isCalled"] === "boolean";
const isNewest = (json: unknown): json is NewestRow =>
  isObject(json) && isText(json["table"]) && (json["newest"] === null || isText(json["newest"]));

export const parseManifest = (json: unknown): Manifest => {
  if (isObject(json)) {
    const { parts, sequences, newest, missing = [] } = json;
    const isWhole = isListOf(parts, isNamedSum) && isListOf(sequences, isSequence) && isListOf(newest, isNewest);
    if (isWhole && parts.length <= MAX_LISTED && isListOf(missing, isFile))
      return { parts, sequences, newest, missing };
  }
  throw damagedContent("its manifest is not complete");
};

/** Folder of archived readings in a data directory. */
export const ARCHIVE = "telemetry-archive";
const MAX_NAMED = 5;

const isArchived = (file: string): boolean => file.startsWith(`${ARCHIVE}/`);

/** Says how many archived files were not there, and names the first; null if all were there. */
export const archivesWords = (missing: readonly string[]): string | null => {
  const archived = missing.filter(isArchived);
  if (archived.length === 0) return null;
  const named = [...archived.slice(0, MAX_NAMED), ...(archived.length > MAX_NAMED ? ["…"] : [])].join(", ");
  return `${archived.length} archived files were not there, so their readings are not in the backup: ${named}`;
};

/** What is said of all files that were not there, in lines. */
export const missingWords = (missing: readonly string[]): readonly string[] => {
  const archived = archivesWords(missing);
  const others = missing.filter((file) => !isArchived(file));
  return [
    ...(archived === null ? [] : [archived]),
    ...others.map((file) => `not there, so not in the backup: ${file}`),
  ];
};

/** Differences between the notes and the content; empty if there are none. */
export const differences = (noted: Manifest, found: Pick<Manifest, "parts" | "newest">): readonly string[] => {
  const there = new Map(found.parts.map((part) => [part.name, part]));
  const entries = new Map(found.newest.map(({ table, newest }) => [table, newest]));
  return [
    ...noted.parts.flatMap(({ name, rows, bytes, sha256 }) => {
      const part = there.get(name);
      if (part === undefined) return [`${name} is missing`];
      if (part.rows !== rows) return [`${name} has ${part.rows} rows, not ${rows}`];
      return part.sha256 === sha256 && part.bytes === bytes ? [] : [`${name} has other content`];
    }),
    ...noted.newest.flatMap(({ table, newest }) =>
      entries.get(table) === newest ? [] : [`the newest entry of ${table} is another one`],
    ),
  ];
};
