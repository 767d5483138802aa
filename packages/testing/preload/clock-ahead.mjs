// Loaded into a service that a test starts as a process: its clock is ahead by CLOCK_AHEAD_MS, as that of a service
// which was started so much later. The service takes its time from the database.
import pg from "pg";

const OF_DATABASE = "clock_timestamp()";
const AHEAD = `(${OF_DATABASE} + interval '${Number(process.env.CLOCK_AHEAD_MS)} ms')`;

const query = Reflect.get(pg.Client.prototype, "query");

pg.Client.prototype.query = function (config, ...more) {
  return query.call(this, typeof config === "string" ? config.replace(OF_DATABASE, AHEAD) : config, ...more);
};
