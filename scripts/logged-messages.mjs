// What the service logs: level, message and members of each call of a logger. A value in a message is `{}`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

const root = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = ["packages/server/src", "packages/embedded-postgres/src"];
const LEVELS = new Set(["debug", "info", "warn", "error", "fatal"]);

/** Messages that a call gets from elsewhere, by its file; each stands in the sources. */
export const GIVEN_MESSAGES = {
  "packages/server/src/app/commands/run-until-stopped.ts": [
    "startup failed",
    "the migration failed",
    "the secrets were not rotated",
  ],
  "packages/server/src/app/commands/serve.ts": [
    "CURTAIL_PUBLIC_URL is https and CURTAIL_TRUSTED_PROXIES names no proxy: all clients share the proxy's address, so failed sign-ins of one client block all clients. Set it to the network of the proxy.",
    "CURTAIL_BRAND_COLOUR is close to the red and amber of alarms: buttons and links could be taken for one. Choose another hue, or leave it unset.",
  ],
  "packages/server/src/app/wire/backup.ts": [
    "{} archived files were not there, so their readings are not in the backup: {}",
  ],
  "packages/server/src/openadr/operations/note-polls.ts": [
    "polls of VENs could not be recorded; retrying",
    "polls of VENs of OpenADR 3 could not be recorded; retrying",
    "polls of accounts could not be recorded; retrying",
  ],
  "packages/server/src/openadr-3/worker/broker-users.ts": [
    "Set `use_username_as_clientid true` for each listener of the MQTT broker, and restart it. Without it, a user that connects with the client identifier of another ends its connection and takes what was queued for it.",
    "Deny by default what users of the MQTT broker receive (`publishClientReceive`), after your own users have a role for what they need. Until then they may receive what was queued for a VEN. The page about MQTT has the steps.",
  ],
};

/** What a pattern of members stands for that is not written in its file, by its words. */
const GIVEN_MEMBERS = {
  hold: ["heldAt", "backupAt"],
  space: ["folder", "needed", "free"],
};

/** Every call, as `{ file, level, messages, members }`; `messages` is empty if they are given from elsewhere and not listed. */
export const loggedMessages = () => files().flatMap((file) => callsIn(file, readFileSync(join(root, file), "utf8")));

/** All sources as one text, with texts of several lines joined and values as `{}`, to look for what is listed here. */
export const sourcesOfMessages = () =>
  files()
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n")
    .replaceAll(/["`] \+\s*["`]/g, "")
    .replaceAll(/\$\{[^}]*\}/g, "{}");

const files = () =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", ...SOURCES], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => file.endsWith(".ts"));

export const callsIn = (file, source) => {
  const program = parseAst(source, { lang: "ts" });
  const known = declarationsIn(program);
  const found = [];
  visit(program, (node) => {
    if (node.type !== "CallExpression" || !isLogCall(node)) return;
    const [details, message] = node.arguments;
    const messages = textsOf(message, known);
    found.push({
      file,
      level: node.callee.property.name,
      messages: messages.length > 0 ? messages : (GIVEN_MESSAGES[file] ?? []),
      members: [...new Set(membersOf(details, known))],
    });
  });
  return found;
};

/** `log.warn(details, message)`, of whatever is called a log. */
const isLogCall = ({ callee, arguments: given }) =>
  callee.type === "MemberExpression" &&
  LEVELS.has(callee.property.name) &&
  given.length === 2 &&
  /log(?:ger)?$/i.test(callee.object.name ?? callee.object.property?.name ?? "");

/** What each name of a file is declared as; several if it is declared in several functions. */
const declarationsIn = (program) => {
  const known = new Map();
  visit(program, (node) => {
    if (node.type !== "VariableDeclarator" || node.init === null || node.id.type !== "Identifier") return;
    known.set(node.id.name, [...(known.get(node.id.name) ?? []), node.init]);
  });
  return known;
};

const textsOf = (node, known) => {
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node.type === "TemplateLiteral") return [node.quasis.map(({ value }) => value.cooked).join("{}")];
  if (node.type === "ConditionalExpression")
    return [node.consequent, node.alternate].flatMap((each) => textsOf(each, known));
  if (node.type === "BinaryExpression") {
    const [left = "", right = ""] = [node.left, node.right].map((each) => textsOf(each, known)[0]);
    return [left + right];
  }
  if (node.type === "Identifier")
    return (known.get(node.name) ?? []).flatMap((each) => (isText(each) ? textsOf(each, known) : []));
  if (node.type === "CallExpression")
    return (known.get(node.callee.name) ?? []).flatMap((made) => returned(made, known));
  return [];
};

const isText = ({ type }) => ["Literal", "TemplateLiteral", "BinaryExpression", "ConditionalExpression"].includes(type);

/** What a function of the file may return. */
const returned = (made, known) => {
  if (made.type !== "ArrowFunctionExpression") return [];
  if (made.body.type !== "BlockStatement") return textsOf(made.body, known);
  const found = [];
  visit(made.body, (node) => {
    if (node.type === "ReturnStatement" && node.argument !== null) found.push(...textsOf(node.argument, known));
  });
  return found;
};

const membersOf = (node, known) => {
  if (node.type === "ParenthesizedExpression") return membersOf(node.expression, known);
  if (node.type === "ObjectExpression")
    return node.properties.flatMap((each) =>
      each.type === "SpreadElement" ? membersOf(each.argument, known) : [each.key.name ?? each.key.value],
    );
  if (node.type === "Identifier") return GIVEN_MEMBERS[node.name] ?? objectsOf(node.name, known);
  if (node.type === "CallExpression") return objectsOf(node.callee.name, known);
  if (node.type === "ConditionalExpression")
    return [node.consequent, node.alternate].flatMap((each) => membersOf(each, known));
  return [];
};

const objectsOf = (name, known) =>
  (known.get(name) ?? []).flatMap((made) => {
    if (made.type === "ObjectExpression" || made.type === "CallExpression") return membersOf(made, known);
    return made.type === "ArrowFunctionExpression" && made.body.type !== "BlockStatement"
      ? membersOf(made.body, known)
      : [];
  });

const visit = (node, see) => {
  if (Array.isArray(node)) for (const each of node) visit(each, see);
  else if (typeof node?.type === "string") {
    see(node);
    for (const [key, value] of Object.entries(node)) if (key !== "type") visit(value, see);
  }
};
