// Loaded into a service that a test starts as a process: kills it at a named point of its work, as by `kill -9`. The
// points are between two statements to the database; CRASH_FOR is the path of the webhook whose deliveries count.
import pg from "pg";

const { CRASH_AT, CRASH_FOR } = process.env;

/** Deliveries of that webhook. */
const deliveries = new Set();
/** Connections whose transaction has written a notice. */
const noticing = new WeakSet();
/** Connections whose transaction has packed days. */
const packing = new WeakSet();
/** Connections whose transaction has deleted what it folded. */
const folding = new WeakSet();
/** Connections whose transaction has recorded an archive. */
const archiving = new WeakSet();

/** Connections whose transaction has created accounts. */
const peopling = new WeakSet();
/** Connections whose transaction has created dispatches. */
const dispatching = new WeakSet();
/** Connections whose transaction has deleted a demo. */
const ending = new WeakSet();

const isOneOf = (ids) => ids.some((id) => deliveries.has(id));
const isRecord = ({ name, values }) => name === "record-deliveries" && isOneOf(values[0]);
const isNoticeCommit = ({ text }, connection) => text === "commit" && noticing.has(connection);
const isPackCommit = ({ text }, connection) => text === "commit" && packing.has(connection);
const isFoldCommit = ({ text }, connection) => text === "commit" && folding.has(connection);
const isArchiveCommit = ({ text }, connection) => text === "commit" && archiving.has(connection);
const takes = (wanted, { name }, rows) =>
  name === wanted && isOneOf(rows.filter((row) => row.is_taken !== false).map(({ id }) => id));

const before = {
  "the commit of a dispatch": isNoticeCommit,
  "the commit of packed days": isPackCommit,
  "the commit of a fold": isFoldCommit,
  "the appending to the log": ({ name }) => name === "append-to-log",
  "the commit of an archive": isArchiveCommit,
  "the record of an attempt": isRecord,
  "the commit of a demo's fleet": ({ text }, connection) => text === "commit" && peopling.has(connection),
  "the record of a demo's readings": ({ name }, connection) => name === "save-demo" && !peopling.has(connection),
  "the commit of a demo's dispatches": ({ text }, connection) => text === "commit" && dispatching.has(connection),
  "the commit of a demo's end": ({ text }, connection) => text === "commit" && ending.has(connection),
};

const after = {
  "the commit of a dispatch": isNoticeCommit,
  "the commit of packed days": isPackCommit,
  "the commit of a fold": isFoldCommit,
  "the commit of an archive": isArchiveCommit,
  "the record of an archive": ({ name }) => name === "record-archive",
  "the locking of hours to pack": ({ name }) => name === "lock-hours-to-pack",
  "the appending to the log": ({ name }) => name === "append-to-log",
  "the writing of folded rows": ({ name }) => name === "fold-telemetry",
  "the writing of packed days": ({ name }) => name === "write-packed-days",
  "the deletion of a demo's telemetry": ({ name }) => name === "delete-site-in-telemetry_hours",
  "the making of a delivery": (statement, _connection, rows) => takes("expand-notices", statement, rows),
  "the claim of a retry": (statement, _connection, rows) => takes("claim-deliveries", statement, rows),
  "the record of an attempt": isRecord,
};

const [when, ...point] = (CRASH_AT ?? "").split(" ");
const isDue = (moment, ...work) => when === moment && { before, after }[moment][point.join(" ")](...work);
const die = () => process.kill(process.pid, "SIGKILL");

const query = Reflect.get(pg.Client.prototype, "query");

const queryOrDie = function (config, values, callback) {
  const statement = typeof config === "string" ? { text: config, values } : config;
  if (statement.text?.includes("insert into notices")) noticing.add(this);
  if (statement.text?.includes("insert into accounts")) peopling.add(this);
  if (statement.text?.includes("insert into dispatches (")) dispatching.add(this);
  if (statement.text?.startsWith("delete from demo ")) ending.add(this);
  if (statement.name === "delete-packed-hours") packing.add(this);
  if (statement.name === "delete-folded") folding.add(this);
  if (statement.name === "record-archive") archiving.add(this);
  if (isDue("before", statement, this)) die();
  const seen = (result) => {
    const rows = result?.rows ?? [];
    for (const { id, url } of rows) if (url?.endsWith(CRASH_FOR)) deliveries.add(id);
    if (isDue("after", statement, this, rows)) die();
  };
  if (callback === undefined) return query.call(this, config, values).then((result) => (seen(result), result));
  return query.call(this, config, values, (error, result) => {
    seen(result);
    callback(error, result);
  });
};

if (CRASH_AT !== undefined) pg.Client.prototype.query = queryOrDie;
