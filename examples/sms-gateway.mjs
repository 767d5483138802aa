// A gateway between Curtail and a provider of SMS and calls: checks the token, sends each message once, answers with the
// provider's id. Plain Node 20, no dependencies. For settings and how to try it, see README.md in this folder.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { env } from "node:process";

const { CURTAIL_GATEWAY_TOKEN = "", PROVIDER_URL = "", PROVIDER_TOKEN = "", SENDER = "Curtail", PORT = "8091" } = env;
if (CURTAIL_GATEWAY_TOKEN === "" || PROVIDER_URL === "")
  throw new Error("set CURTAIL_GATEWAY_TOKEN to the token that Curtail sends, and PROVIDER_URL to your provider");
const MAX_BODY_BYTES = 16 * 1024;
const PROVIDER_MS = 8000; // Curtail waits ten seconds for the answer
const REMEMBERED_MS = 24 * 60 * 60 * 1000; // Curtail repeats a message for six hours

/** Answers by message id: a repeated message is not sent again. Keep them in a file or database if this may restart. */
const known = new Map();

// --- What your provider wants. Replace this function. ---

/** Sends one message and returns the provider's answer. */
const send = ({ channel, to, text }) =>
  fetch(`${PROVIDER_URL}/${channel === "sms" ? "messages" : "calls"}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${PROVIDER_TOKEN}` },
    body: JSON.stringify({ from: SENDER, to, text }),
    signal: AbortSignal.timeout(PROVIDER_MS),
  });

// --- The rest fits any provider. ---

const sha256 = (text) => createHash("sha256").update(text).digest();
const isCurtail = ({ headers }) =>
  timingSafeEqual(sha256(headers.authorization ?? ""), sha256(`Bearer ${CURTAIL_GATEWAY_TOKEN}`));

const bodyOf = async (request) => {
  let text = "";
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAX_BODY_BYTES) return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const isMessage = (body) =>
  typeof body?.id === "string" &&
  typeof body.text === "string" &&
  /^\+[1-9]\d{6,14}$/.test(body.to) &&
  (body.channel === "sms" || body.channel === "voice");

/** 422 ends it: Curtail gives the message up. With 502 it comes again. */
const handOver = async (message) => {
  try {
    const response = await send(message);
    if (response.ok) return { status: 202, body: { id: (await response.json().catch(() => null))?.id ?? message.id } };
    return { status: response.status === 400 || response.status === 422 ? 422 : 502, body: {} };
  } catch {
    return { status: 502, body: {} };
  }
};

/** Two requests for a message at once get the answer of the first. A failure is forgotten, so that it can be repeated. */
const once = (message) => {
  const before = known.get(message.id);
  if (before !== undefined) return before;
  const answer = handOver(message);
  known.set(message.id, answer);
  void answer.then(({ status }) => {
    if (status === 502) known.delete(message.id);
    else setTimeout(() => known.delete(message.id), REMEMBERED_MS).unref();
  });
  return answer;
};

const answerTo = async (request) => {
  if (request.method !== "POST") return { status: 405, body: {} };
  if (!isCurtail(request)) return { status: 401, body: {} };
  const body = await bodyOf(request);
  if (!isMessage(body)) return { status: 422, body: {} };
  const answer = await once(body);
  process.stdout.write(`${body.channel} ${body.id} ${answer.status}\n`);
  return answer;
};

const respond = async (request, response) => {
  const { status, body } = await answerTo(request);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

const server = createServer((request, response) => void respond(request, response)).listen(
  Number(PORT),
  "127.0.0.1",
  () => void process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`),
);
