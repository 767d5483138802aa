// The texts that the code says: first arguments of `say`, `sayParts` and `english`, and members of lists.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

const root = fileURLToPath(new URL("..", import.meta.url));

const WEB = "packages/web/src";
const SERVER = "packages/server/src";
const WORDS = "packages/words/src";
const LISTS = "packages/contract/src/lists";

/** Who reads what a file says; what several read is in the first part of this order that all of them load. */
const READERS = [
  { of: new RegExp(`^${WEB}/(pages/operations|routes/(operations|portfolio))`), part: "operators" },
  { of: new RegExp(`^${WEB}/(pages/dashboard|routes/dashboard)`), part: "participants" },
  { of: new RegExp(`^(${WEB}|${WORDS})/`), part: "shared" },
  { of: new RegExp(`^${SERVER}/`), part: "messages" },
];

/** Members of lists of the contract that people read, by file. */
const MEMBERS = {
  [`${LISTS}/alarms.ts`]: { title: "shared", words: "shared", notice: "messages" },
  [`${LISTS}/baseline-reasons.ts`]: { text: "shared" },
  [`${LISTS}/statement-sentences.ts`]: { text: "shared" },
};

/** Lists of nothing but texts, which pages load when the first one is shown. */
const REFUSALS = `${LISTS}/refusals/`;

const SAYS = new Set(["say", "sayParts", "english"]);

/** A text with where it is said: `{ key, text, file, values, part }`; `values` are the names of what is given, null if not listed there. */
export const saidTexts = () => files().flatMap((file) => textsOf(file, readFileSync(join(root, file), "utf8")));

const files = () =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", "--", WEB, SERVER, WORDS, LISTS], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file));

export const textsOf = (file, source) => {
  const found = [];
  const part = READERS.find(({ of }) => of.test(file))?.part;
  const members = MEMBERS[file] ?? {};
  visit(parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" }), (node) => {
    if (node.type === "CallExpression" && SAYS.has(nameOf(node.callee)))
      for (const text of literalsOf(node.arguments[0]))
        found.push({ ...keyed(text, literalsOf(node.arguments[2])[0]), values: valuesOf(node), file, part });
    if (node.type === "ArrayExpression" && file.startsWith(REFUSALS))
      for (const text of node.elements.flatMap(literalsOf))
        found.push({ key: text, text, values: null, file, part: "refusals" });
    if (node.type === "Property" && Object.hasOwn(members, node.key.name))
      for (const text of literalsOf(node.value))
        found.push({ key: text, text, values: null, file, part: members[node.key.name] });
  });
  return found;
};

const keyed = (text, context) => ({ key: context === undefined ? text : `${text} [${context}]`, text });

const nameOf = (callee) => (callee.type === "MemberExpression" ? callee.property.name : callee.name);

const literalsOf = (node) => {
  if (node?.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return [node.quasis[0].value.cooked];
  if (node?.type === "ConditionalExpression") return [...literalsOf(node.consequent), ...literalsOf(node.alternate)];
  if (node?.type === "TSAsExpression") return literalsOf(node.expression);
  return [];
};

/** Names of the members of the second argument; null where it is no plain object, or the text is said elsewhere. */
const valuesOf = ({ callee, arguments: [, values] }) => {
  if (nameOf(callee) === "english") return null;
  if (values === undefined) return [];
  if (values.type !== "ObjectExpression" || values.properties.some(({ type }) => type !== "Property")) return null;
  return values.properties.map(({ key }) => key.name ?? key.value);
};

const visit = (node, look) => {
  look(node);
  for (const child of Object.values(node))
    for (const each of Array.isArray(child) ? child : [child]) if (typeof each?.type === "string") visit(each, look);
};
