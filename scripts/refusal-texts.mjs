// The refusals that the service composes: what is given to `invalid`, `conflict` and the other makers of a refusal. A value is `{}`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

const root = fileURLToPath(new URL("..", import.meta.url));
const SERVER = "packages/server/src";
const METER_DATA = "packages/meter-data/src";

const asIs = (text) => text;
const waiting = (text) => `${text}; wait {} seconds`;

/** By name: which argument says why, and the sentence that the function makes of it. */
const MAKERS = {
  invalid: { at: 0, sentence: asIs },
  conflict: { at: 0, sentence: asIs },
  denied: { at: 0, sentence: asIs },
  Refusal: { at: 1, sentence: asIs },
  HttpError: { at: 1, sentence: asIs },
  Unproven: { at: 1, sentence: asIs },
  notFound: { at: 0, sentence: (what) => `No such ${what}; check the id.` },
  tooMany: { at: 0, sentence: waiting },
  tooManyRequests: { at: 1, sentence: waiting },
  CallerTurns: { at: 0, member: "because", sentence: waiting },
  applyRate: { at: 2, sentence: (who) => waiting(`${who} has sent {} requests within a minute`) },
  sendError: { at: 3, sentence: asIs },
  testFailed: {
    at: 0,
    sentence: (what) => `${what}; answer it with status 200 and register again. Nothing was created.`,
  },
  refusePeriod: { at: 2, sentence: (what) => `${what} lasts at most {} days; choose an earlier end_time` },
};

/** Files with ways of their own: functions and methods by the argument that says why, and members of objects. */
const PLACES = [
  {
    of: /platform\/http\/validation\.ts$/,
    calls: { addOne: 2 },
    members: ["rule"],
    sentence: (rule) => `it must ${rule}`,
  },
  {
    of: /oversight\/(domain\/import|http\/csv-table)/,
    calls: { inHeader: 1, wrong: 1, fault: 0, unread: 1 },
    members: ["message", "fault"],
    sentence: asIs,
  },
  {
    of: /^packages\/meter-data\//,
    calls: { Unreadable: 1, add: 1, fault: 1, report: 1, note: 1, ask: 1, columnDoubt: 1 },
    members: ["fault", "message", "reason", "question", "meaning"],
    sentence: asIs,
  },
];

/** Texts with where they are composed: `{ text, file, line }`; `{}` alone is one that is composed elsewhere. */
export const refusalTexts = () => {
  const modules = files().map((file) => moduleOf(file, readFileSync(join(root, file), "utf8")));
  return modules.flatMap((module) => textsOf(module, modules));
};

const files = () =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", SERVER, METER_DATA], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => file.endsWith(".ts"));

/** A file with what it declares by name: functions and constants, of any depth. */
export const moduleOf = (file, source) => {
  const ast = parseAst(source, { lang: "ts" });
  const declared = new Map();
  const imported = new Set();
  visit(ast, (node) => {
    if (node.type === "ImportSpecifier") imported.add(node.local.name);
    const made = node.type === "VariableDeclarator" ? node.init : node.type === "FunctionDeclaration" ? node : null;
    if (made && node.id.type === "Identifier")
      declared.set(node.id.name, [...(declared.get(node.id.name) ?? []), made]);
  });
  return { file, source, ast, declared, imported };
};

export const textsOf = (module, modules = [module]) => {
  const found = [];
  const place = PLACES.find(({ of }) => of.test(module.file));
  visit(module.ast, (node) => {
    for (const { why, sentence } of reasonsIn(node, place)) {
      const line = module.source.slice(0, why.start).split("\n").length;
      for (const text of new Set(said(why, { module, modules, depth: 0 })))
        found.push({ text: sentence(text).replaceAll(JSON_VALUE, "{}"), file: module.file, line });
    }
  });
  return found;
};

const reasonsIn = (node, place) => {
  if (node.type === "ObjectExpression" && place !== undefined)
    return node.properties
      .filter(({ key }) => place.members.includes(key?.name))
      .map(({ value }) => ({ why: value, sentence: place.sentence }));
  if (node.type !== "CallExpression" && node.type !== "NewExpression") return [];
  const name = node.callee.name ?? node.callee.property?.name ?? "";
  const maker = node.callee.name !== undefined && Object.hasOwn(MAKERS, name) ? MAKERS[name] : callIn(place, name);
  const why = maker && memberOf(node.arguments[maker.at], maker.member);
  return why === undefined ? [] : [{ why, sentence: maker.sentence }];
};

const callIn = (place, name) =>
  place !== undefined && Object.hasOwn(place.calls, name)
    ? { at: place.calls[name], sentence: place.sentence }
    : undefined;

const memberOf = (argument, name) =>
  name === undefined ? argument : argument?.properties?.find(({ key }) => key?.name === name)?.value;

/** `{"leave_out":{"resets":true}}` within a sentence. */
const JSON_VALUE = /\{"\S+\}/g;
const HOLE = ["{}"];
const MOST_CALLS = 4;

/** What an expression says, in each of its branches. */
const said = (node, at) => {
  switch (node.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : HOLE;
    case "TemplateLiteral":
      return joined(node.quasis.flatMap(({ value }, n) => [[value.cooked], ...partOf(node.expressions[n], at)]));
    case "BinaryExpression":
      return node.operator === "+" ? joined([said(node.left, at), said(node.right, at)]) : HOLE;
    case "ConditionalExpression":
      return [...said(node.consequent, at), ...said(node.alternate, at)];
    case "LogicalExpression":
      return [...said(node.left, at), ...said(node.right, at)].filter((text) => text !== "");
    case "MemberExpression":
      return node.computed && node.object.type === "Identifier" ? valuesOf(node.object.name, at) : HOLE;
    case "AwaitExpression":
    case "ParenthesizedExpression":
      return said(node.argument ?? node.expression, at);
    case "Identifier":
      return declaredTexts(node.name, at);
    case "CallExpression":
      if (node.callee.name === "english") return said(node.arguments[0], at);
      return node.callee.type === "Identifier" ? returnedTexts(node.callee.name, at) : HOLE;
    default:
      return HOLE;
  }
};

/** A value within a sentence stays one, unless it is chosen among texts. */
const partOf = (node, at) => {
  if (node === undefined) return [];
  const isCall = node.type === "CallExpression" && !at.module.declared.has(node.callee.name);
  const texts = isCall ? HOLE : said(node, at);
  return [texts.includes("{}") || !texts.some((text) => text === "" || /\p{Ll}{2}/u.test(text)) ? HOLE : texts];
};

const joined = (parts) =>
  parts.reduce((all, texts) => all.flatMap((before) => texts.map((text) => before + text)), [""]);

/** Of a name that a function declares, or the file, or another one exports. */
const declaredTexts = (name, at) => {
  if (at.depth === MOST_CALLS) return HOLE;
  const texts = lookedUp(name, at).flatMap(({ node, within }) => (isFunction(node) ? HOLE : said(node, within)));
  return texts.length === 0 ? HOLE : texts;
};

/** Of a table. */
const valuesOf = (name, at) => {
  const texts = lookedUp(name, at).flatMap(({ node, within }) =>
    node.type === "ObjectExpression"
      ? node.properties.flatMap(({ value }) => (value ? said(value, within) : HOLE))
      : HOLE,
  );
  return texts.length === 0 ? HOLE : texts;
};

const returnedTexts = (name, at) => {
  if (at.depth === MOST_CALLS) return HOLE;
  const texts = lookedUp(name, at).flatMap(({ node, within }) =>
    isFunction(node) ? returnsOf(node).flatMap((each) => (isNull(each) ? [] : said(each, within))) : HOLE,
  );
  return texts.length === 0 ? HOLE : texts;
};

const lookedUp = (name, { module, modules, depth }) => {
  const isOwn = module.declared.has(name);
  // A parameter is declared and imported nowhere.
  if (!isOwn && !module.imported.has(name)) return [];
  const homes = isOwn ? [module] : modules.filter(({ declared }) => declared.has(name));
  // A name that several files declare says nothing.
  if (homes.length !== 1) return [];
  const [home] = homes;
  return home.declared.get(name).map((node) => ({ node, within: { module: home, modules, depth: depth + 1 } }));
};

const isFunction = ({ type }) =>
  ["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"].includes(type);
const isNull = (node) => node.type === "Literal" && node.value === null;

const returnsOf = ({ body }) => {
  if (body.type !== "BlockStatement") return branches(body);
  const found = [];
  visit(body, (node) => {
    if (node.type === "ReturnStatement" && node.argument) found.push(...branches(node.argument));
  });
  return found;
};

/** Without the `null` of "no fault". */
const branches = (node) => {
  if (node.type === "ConditionalExpression") return [...branches(node.consequent), ...branches(node.alternate)];
  if (node.type === "LogicalExpression") return [...branches(node.left), ...branches(node.right)];
  return [node];
};

const visit = (node, look) => {
  look(node);
  for (const child of Object.values(node))
    for (const each of Array.isArray(child) ? child : [child]) if (typeof each?.type === "string") visit(each, look);
};
