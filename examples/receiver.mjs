// A participant's receiver of dispatches: is notified by webhook, curtails, follows changes, stops.
// Plain Node 20, no dependencies. For settings and how to try it, see README.md in this folder.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { env } from "node:process";

const { CURTAIL_URL = "", CURTAIL_API_KEY = "", WEBHOOK_SECRETS = "", PORT = "9000" } = env;
if (CURTAIL_URL === "" || CURTAIL_API_KEY === "") {
  throw new Error("set CURTAIL_URL to the address of Curtail, and CURTAIL_API_KEY to your key");
}
/** Two while you change from one secret to the next. Empty until you have registered: then only tests are answered. */
const secrets = WEBHOOK_SECRETS.split(" ").filter((secret) => secret !== "");
const MAX_BODY_BYTES = 64 * 1024;
const TOLERANCE_SECONDS = 5 * 60;
const MAX_WAIT_MS = 60 * 60 * 1000; // setTimeout cannot wait longer than 24 days; dispatches come up to a year ahead
const FETCH_MS = 5000; // Curtail waits ten seconds for the answer to a notice

/** The newest state of each dispatch by id, and whether we are curtailing for it. */
const known = new Map();

const say = (line) => process.stdout.write(`${line}\n`);

// --- What to do. Replace `curtail` and `restore` with what your site needs. ---

const curtail = (dispatch) => say(`curtail ${dispatch.id} ${untilText(dispatch)}: ${sitesText(dispatch)}`);
const restore = (dispatch, reason) => say(`stop ${dispatch.id}: ${reason}`);

/** Takes the current state of a dispatch. A repeated or older state changes nothing. */
const take = (dispatch) => {
  const before = known.get(dispatch.id);
  if (before !== undefined && before.dispatch.modification_number >= dispatch.modification_number) return;
  clearTimeout(before?.timer);
  const entry = { dispatch, isCurtailing: before?.isCurtailing ?? false, timer: undefined };
  known.set(dispatch.id, entry);
  act(entry);
  const isSame = entry.isCurtailing === (before?.isCurtailing ?? false);
  if (before === undefined && isAhead(dispatch)) say(`wait ${dispatch.id} for ${dispatch.start_time}`);
  // A change that neither started nor ended a curtailment.
  if (before !== undefined && isSame) say(`update ${dispatch.id} ${timesText(dispatch)}`);
};

/** Brings the site into the state that the dispatch requires now, and runs again when that changes. */
const act = (entry) => {
  const { dispatch, isCurtailing } = entry;
  const nowMs = Date.now();
  const startMs = Date.parse(dispatch.start_time);
  const endMs = dispatch.end_time === null ? Number.POSITIVE_INFINITY : Date.parse(dispatch.end_time);
  const isWanted = dispatch.authorized && startMs <= nowMs && nowMs < endMs;
  entry.isCurtailing = isWanted;
  if (isWanted && !isCurtailing) curtail(dispatch);
  if (!isWanted && isCurtailing) restore(dispatch, stopReason(dispatch, nowMs < startMs));
  const nextMs = startMs > nowMs ? startMs : endMs;
  if (!dispatch.authorized || nextMs <= nowMs) return;
  entry.timer = setTimeout(() => act(entry), Math.min(nextMs - nowMs, MAX_WAIT_MS));
};

const stopReason = (dispatch, isBeforeStart) => {
  if (!dispatch.authorized) return "cancelled";
  return isBeforeStart ? `moved to ${dispatch.start_time}` : "ended";
};
const isAhead = ({ authorized, start_time }) => authorized && Date.parse(start_time) > Date.now();
const untilText = ({ end_time }) => (end_time === null ? "until further notice" : `until ${end_time}`);
const timesText = (dispatch) =>
  dispatch.authorized ? `from ${dispatch.start_time} ${untilText(dispatch)}` : "cancelled before it began";
const sitesText = ({ sites }) =>
  sites.map(({ name, commitment }) => (commitment === null ? name : `${name} by ${commitment} kW`)).join(", ");

// --- Requests to Curtail. A notice only names a dispatch; what counts is what Curtail returns for our key. ---

const get = async (path) => {
  const response = await fetch(new URL(path, CURTAIL_URL), {
    headers: { "x-service-api-key": CURTAIL_API_KEY },
    signal: AbortSignal.timeout(FETCH_MS),
  });
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`);
  return response.json();
};

// --- Receiving notices. ---

/** Standard Webhooks: one valid signature by one of our secrets is enough. */
const isSigned = (headers, body) => {
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    return false;
  const given = String(headers["webhook-signature"] ?? "").split(" ");
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const content = `${headers["webhook-id"]}.${timestamp}.${body}`;
    const expected = Buffer.from(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
    return given.some((each) => {
      const signature = Buffer.from(each);
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    });
  });
};

/** Returns the status. Only a notice that was acted on is acknowledged: Curtail sends the others again. */
const receive = async (headers, body) => {
  const { event, resource } = JSON.parse(body);
  // The test request of a registration. It arrives before you can know the secret, and changes nothing.
  if (event.name === "") return 200;
  if (!isSigned(headers, body)) {
    say("refused a notice that no known secret has signed");
    return 401;
  }
  // The key is sent to no other path, whatever a notice says.
  if (!/^\/\d{4}-\d\d-\d\d\/dispatches\/[\w-]+$/.test(resource)) return 400;
  take(await get(resource));
  return 200;
};

const bodyOf = async (request) => {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("the body is too large for a notice");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const answer = async (request, response) => {
  try {
    response.writeHead(await receive(request.headers, await bodyOf(request))).end();
  } catch (error) {
    say(`failed: ${error instanceof Error ? error.message : String(error)}`);
    response.writeHead(500).end();
  }
};

const server = createServer((request, response) => void answer(request, response));

const begin = async () => {
  say(`listening on http://127.0.0.1:${server.address().port}/`);
  // Dispatches notified while this receiver was down.
  try {
    const { dispatches } = await get("/2022-04-15/dispatches");
    for (const dispatch of dispatches) take(dispatch);
  } catch (error) {
    say(`failed to list the dispatches: ${error instanceof Error ? error.message : String(error)}`);
  }
};

server.listen(Number(PORT), "127.0.0.1", () => void begin());
