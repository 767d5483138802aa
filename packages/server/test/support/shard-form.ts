import { SHARDED_TABLES, type ShardStatement } from "../../src/platform/database/shard-statement.js";

const TABLE = `(?:${SHARDED_TABLES.join("|")})`;
const READ = new RegExp(`\\b(?:from|join|using)\\s+(${TABLE})\\b(?:\\s+as\\s+(\\w+))?`, "g");

/** A query of a statement without the queries in its parentheses, each of which is one of its own. */
const queriesOf = (text: string): string[] => {
  const open: string[] = [""];
  const closed: string[] = [];
  for (const character of text) {
    if (character === "(") {
      open[open.length - 1] += "(";
      open.push("");
    } else if (character === ")") closed.push(open.pop() ?? "");
    else open[open.length - 1] += character;
    // Arguments and lists of columns belong to what surrounds them.
    if (character === ")" && !/^\s*(?:select|with|insert|delete|update)\b/.test(closed.at(-1) ?? ""))
      open[open.length - 1] += `${closed.pop()})`;
  }
  return [...closed, ...open];
};

/** What a distributed database would refuse, or run on more workers than its kind says. */
export const formFaults = ({ name, reach, distributed }: ShardStatement, ordinary: ReadonlySet<string>): string[] => {
  const faults = queriesOf(distributed).flatMap((query) =>
    reach === "one shard" ? boundFaults(query) : joinFaults(query, ordinary),
  );
  if (reach === "all shards" && /\bfor (?:no key )?(?:update|share)\b/.test(distributed)) faults.push("locks rows");
  if (/\bctid\b/.test(distributed)) faults.push("names rows by ctid");
  if (new RegExp(`\\bselect\\s+from\\s+${TABLE}`).test(distributed)) faults.push("selects no column");
  return faults.map((fault) => `${name} ${fault}`);
};

/** Each sharded table is limited to the sites of the statement, or to one. */
const boundFaults = (query: string): string[] =>
  [...query.matchAll(READ)].flatMap(([, table = "", alias = table]) =>
    new RegExp(`\\b(?:${alias}\\.|(?<!\\.))site = (?:any\\(\\$\\d+::int\\[\\]\\)|\\$\\d+)`).test(query)
      ? []
      : [`reads ${table} without its sites`],
  );

/** Workers have no ordinary tables. */
const joinFaults = (query: string, ordinary: ReadonlySet<string>): string[] => {
  if ([...query.matchAll(READ)].length === 0) return [];
  const joined = [...query.matchAll(/\b(?:from|join)\s+(\w+)/g)].map(([, table = ""]) => table);
  return joined.filter((table) => ordinary.has(table)).map((table) => `joins a sharded table with ${table}`);
};

/** Parts of a source that name a sharded table in SQL, as far as they are constant; spaces are as in `flat`. */
export const namedIn = (source: string): string[] => {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  const found = code.matchAll(new RegExp(`\\b(?:from|join|into|update|using)\\s+${TABLE}\\b[^\`$"]*`, "g"));
  return [...found].map(([part]) => flat(part));
};

export const flat = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** What a migration after the distribution may not do to sharded tables. */
export const migrationFaults = (sql: string): string[] => {
  const code = sql.replaceAll(/--.*$/gm, "");
  const refused: ReadonlyArray<readonly [string, RegExp]> = [
    ["a trigger", new RegExp(`\\btrigger\\b[^;]*\\bon ${TABLE}\\b`, "i")],
    ["a foreign key", new RegExp(`references ${TABLE}\\b|alter table ${TABLE}\\b[^;]*references`, "i")],
    [
      "a storage, statistics or type of a column",
      new RegExp(`alter table ${TABLE}\\b[^;]*(?:set statistics|set storage|set data type|\\stype\\s)`, "i"),
    ],
    [
      "a unique index without the site",
      new RegExp(`create unique index[^;]*\\bon ${TABLE}\\b(?![^;]*\\bsite\\b)`, "i"),
    ],
  ];
  return refused.filter(([, form]) => form.test(code)).map(([what]) => what);
};
