import { table } from "./markdown-table.js";
import type { SdkComment, SdkExport, SdkMember } from "./sdk-model.js";
import { isRequests, methodsOf } from "./sdk-places.js";

export interface SdkLinks {
  /** Names of all exports. */
  readonly names: readonly string[];
  /** Makes links of what a text says of exports. */
  readonly linked: (markdown: string) => string;
}

/** What a page says about an export. */
export const sectionOf = (each: SdkExport, links: SdkLinks): string => {
  const { name, module, declaration, comment, members } = each;
  if (isRequests(each))
    return joined([links.linked(comment.text), ...members.map((member) => methodSection("##", member, links))]);
  const methods = methodsOf(each);
  const rest = members.filter((member) => !methods.includes(member));
  return joined([
    `## ${name}`,
    module.endsWith("/node") ? `From \`${module}\`, for Node.js only.` : "",
    declaration === `interface ${name}` ? "" : code(declaration),
    links.linked(comment.text),
    detailsOf(comment, links),
    membersTable(rest, links),
    typesIn([declaration, ...rest.map(({ type }) => type)], name, links),
    ...methods.map((member) => methodSection("###", member, links)),
  ]);
};

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``;

const methodSection = (level: "##" | "###", { name, signature, comment }: SdkMember, links: SdkLinks): string =>
  joined([
    `${level} ${name}`,
    code(signature ?? ""),
    links.linked(comment.text),
    detailsOf(comment, links),
    typesIn([signature ?? ""], name, links),
  ]);

const detailsOf = ({ parameters, returns, throws, examples }: SdkComment, { linked }: SdkLinks): string =>
  joined([
    parameters.length === 0
      ? ""
      : table(
          ["parameter", "meaning"],
          parameters.map(({ name, text }) => [`\`${name}\``, linked(text)]),
        ),
    returns === "" ? "" : `**Returns** ${linked(returns)}`,
    ...throws.map((each) => `**Throws** ${linked(withCode(each))}`),
    ...examples,
  ]);

/** Names of errors are plain words in comments. */
const withCode = (text: string): string => text.replaceAll(/(?<!`)\b([A-Z][a-z]+[A-Z]\w+)\b(?!`)/g, "`$1`");

const membersTable = (members: readonly SdkMember[], { linked }: SdkLinks): string =>
  members.length === 0
    ? ""
    : table(
        ["member", "type", "meaning"],
        members.map(({ name, type, isOptional, comment }) => [
          `\`${name}\``,
          isOptional ? `\`${type}\`; optional` : `\`${type}\``,
          linked(comment.text),
        ]),
      );

/** Links to the types that a text of code names, since code cannot hold links. */
const typesIn = (texts: readonly string[], own: string, { names, linked }: SdkLinks): string => {
  const words = new Set(texts.join(" ").match(/[A-Za-z]\w*/g));
  const named = names.filter((each) => each !== own && words.has(each) && /^[A-Z]/.test(each));
  return named.length === 0 ? "" : `Types: ${linked(named.map((each) => `\`${each}\``).join(", "))}.`;
};
