// Uploads a history that a Niagara 4 station exported as CSV. Plain Node 20, no dependencies; run it by a timer.
//   node niagara.mjs HISTORY.csv METER-ID [HOURS]
// Sends the last HOURS of the file (all by default). Sending a reading again changes nothing.
import { readFileSync } from "node:fs";
import { argv, env, stdout } from "node:process";

const [, , file, meterId, hours = "Infinity"] = argv;
const { CURTAIL_URL = "", CURTAIL_API_KEY = "", INTERVAL_SECONDS = "300" } = env;
if (file === undefined || meterId === undefined || CURTAIL_URL === "" || CURTAIL_API_KEY === "")
  throw new Error("usage: CURTAIL_URL=… CURTAIL_API_KEY=… node niagara.mjs HISTORY.csv METER-ID [HOURS]");

const MAX_READINGS = 10_000;
/** Offsets of the zones that stations write. Add yours. */
const offsets = {
  UTC: "+00:00",
  GMT: "+00:00",
  BST: "+01:00",
  CET: "+01:00",
  CEST: "+02:00",
  EST: "-05:00",
  EDT: "-04:00",
  CST: "-06:00",
  CDT: "-05:00",
  MST: "-07:00",
  MDT: "-06:00",
  PST: "-08:00",
  PDT: "-07:00",
};
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TIME = /^(\d{2})-(\w{3})-(\d{2}) (\d{1,2}):(\d{2}):(\d{2}) ([AP]M) (\w+)$/;
const two = (number) => String(number).padStart(2, "0");

/** `01-Jun-26 12:05:00 AM CDT` in milliseconds. */
const timeOf = (text) => {
  const [, day, month, year, hour, minute, second, half, zone] = TIME.exec(text) ?? [];
  const offset = offsets[zone];
  if (offset === undefined) throw new Error(`cannot read the time ${text}`);
  const hour24 = (Number(hour) % 12) + (half === "PM" ? 12 : 0);
  return Date.parse(`20${year}-${two(months.indexOf(month) + 1)}-${day}T${two(hour24)}:${minute}:${second}${offset}`);
};

const [head, ...lines] = readFileSync(file, "utf8")
  .trim()
  .split(/\r?\n/)
  .map((line) => line.split(",").map((cell) => cell.replaceAll('"', "").trim()));
const column = (name) => head.findIndex((cell) => cell.startsWith(name));
const [time, status, value] = ["Timestamp", "Status", "Value"].map(column);
const after = Date.now() - Number(hours) * 3_600_000;
const readings = lines
  // A value that the station marks as stale, down or faulty is a gap, not a reading.
  .filter((cells) => cells[status] === "{ok}" && timeOf(cells[time]) > after)
  .map((cells) => ({
    meter_id: meterId,
    interval_seconds: Number(INTERVAL_SECONDS),
    timestamp: new Date(timeOf(cells[time])).toISOString(),
    kW: Number(cells[value]),
  }));

for (let start = 0; start < readings.length; start += MAX_READINGS) {
  const response = await fetch(`${CURTAIL_URL}/2022-04-15/telemetry`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-api-key": CURTAIL_API_KEY },
    body: JSON.stringify({ telemetry: readings.slice(start, start + MAX_READINGS) }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
}
stdout.write(`${readings.length} readings sent\n`);
